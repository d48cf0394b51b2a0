import { beforeEach, describe, expect, test } from "vitest";
import type { FromPage, Talk, Words } from "../src/api/wire";
import { phrases, speaker } from "../src/table/line/chat.svelte";
import type { LiveTable } from "../src/table/line/live.svelte";
import { tableOn } from "./line";

const words = (n: number, more: Partial<Words> = {}): Words => ({
  n,
  at: 0,
  id: null,
  seat: 1,
  name: null,
  text: `text ${String(n)}`,
  phrase: null,
  cleared: false,
  ...more,
});
const talk = (...said: Words[]): Talk => ({ t: "talk", since: (said[0]?.n ?? 1) - 1, words: said });

const sent: FromPage[] = [];
let live: LiveTable;

beforeEach(() => {
  sent.length = 0;
  live = tableOn(sent);
});

describe("words", () => {
  test("what was heard already is not heard twice", () => {
    live.received(talk(words(1), words(2)));
    live.received(talk(words(2), words(3)));
    expect(live.chat.words.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test("what is told from the beginning takes the place of what was known", () => {
    live.received(talk(words(1), words(2)));
    live.received(talk(words(1, { text: null, cleared: true }), words(2)));
    expect(live.chat.words.map(({ cleared }) => cleared)).toEqual([true, false]);
    live.received({ t: "talk", since: 0, words: [] });
    expect([live.chat.words, live.chat.heard]).toEqual([[], 0]);
  });

  test("after a lost line only what is new is asked for, and what was not confirmed is said again", () => {
    live.opened();
    live.received(talk(words(1)));
    live.chat.say({ seat: 0, text: "hello" });
    live.closed("lost");
    sent.length = 0;
    live.opened();
    expect(sent).toEqual([
      { t: "look", seat: null, since: 0, heard: 1 },
      { t: "say", id: "id1", seat: 0, text: "hello" },
    ]);
    live.received(talk(words(2, { seat: 0, id: "id1" })));
    expect(live.chat.busy).toBe(false);
  });

  test("what is said without a line waits for it", () => {
    live.chat.say({ seat: 0, phrase: "hello" });
    expect(sent).toEqual([]);
    live.opened();
    expect(sent.at(-1)).toEqual({ t: "say", id: "id1", seat: 0, phrase: "hello" });
  });

  test("a refusal of words is told beside the words, not as one of a move", () => {
    live.opened();
    live.chat.say({ seat: 0, text: "too much" });
    live.received({ t: "refused", id: "id1", rule: "", reason: "table.many", values: {}, sentence: "" });
    expect(live.refusal).toBe(null);
    expect(live.chat.refusal?.reason).toBe("table.many");
    expect(live.chat.unsaid).toBe("too much");
    live.chat.dismissRefusal();
    expect(live.chat.refusal).toBe(null);
    expect(live.chat.busy).toBe(false);
  });

  test("people are told apart by seat, onlookers by name", () => {
    expect(speaker(words(1))).not.toBe(speaker(words(1, { seat: 2 })));
    expect(speaker(words(1, { seat: null, name: "Eve" }))).not.toBe(speaker(words(1, { seat: null, name: "Ida" })));
  });

  test("every phrase stands once", () => {
    expect(new Set(phrases).size).toBe(phrases.length);
  });
});
