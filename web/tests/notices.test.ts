/** Turn notices: what the worker says of them. */
import { describe, expect, it } from "vitest";
import { workerTexts } from "../notice-worker";
import { noticeOf, pathOf, said, type Notice } from "../src/notices/notice";
import { languages } from "../src/texts/languages";
import { gameNames } from "../src/games/find";

const texts = workerTexts();
const notice: Notice = { table: "abc", game: "mosaix", n: 7, seat: 1, language: "de" };

describe("the worker", () => {
  it("has the texts of every language, and no others", () => {
    const wanted = ["push.title", "push.body", ...gameNames.map((game) => `game.${game}.title`)].sort();
    expect(Object.keys(texts).sort()).toEqual([...languages].sort());
    for (const language of languages) expect(Object.keys(texts[language] ?? {}).sort()).toEqual(wanted);
  });

  it("fills in nothing but the game, so that it needs no formatter", () => {
    for (const own of Object.values(texts)) {
      expect(own["push.title"]).not.toMatch(/[{}']/);
      expect(own["push.body"]?.replace("{game}", "")).not.toMatch(/[{}']/);
      expect(own["push.body"]).toContain("{game}");
    }
  });

  it("says a notice in the language that was wished, else in English", () => {
    expect(said(notice, texts)).toEqual({
      title: "Du bist dran",
      body: "Mosaix: Der Tisch wartet auf dich.",
      lang: "de",
    });
    expect(said({ ...notice, language: "xx" }, texts).lang).toBe("en");
    expect(said({ ...notice, game: "go" }, texts).body).toContain("go");
  });

  it.each(["", "null", "[]", "{}", "5", "{", '{"table": 5, "game": "mosaix"}', '{"table": "", "game": "mosaix"}'])(
    "makes nothing of %j",
    (text) => expect(noticeOf(text)).toBeNull(),
  );

  it("reads what the server sends, and knows where it leads", () => {
    expect(noticeOf(JSON.stringify(notice))).toEqual(notice);
    expect(pathOf("abc")).toBe("/table/abc");
  });
});
