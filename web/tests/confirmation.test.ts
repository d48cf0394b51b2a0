import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Because, State } from "../src/api/wire";

const prefs = vi.hoisted(() => ({ confirm: true }));
vi.mock("../src/browser/prefs.svelte", () => ({ prefs }));
const { Confirmation } = await import("../src/table/sitting/confirmation.svelte");

/** A table at which the server says what follows when a test says so. */
function place() {
  const answers: ((final: string) => void)[] = [];
  const asked: (readonly string[])[] = [];
  const why = (...moves: readonly string[]) => {
    asked.push(moves);
    return new Promise<Because>((answer) => answers.push((final) => answer({ final } as Because)));
  };
  const live = { seat: 1 as number | null, state: { change: ["bid 4"] as readonly string[] } as State, why };
  return { live, busy: false, isAlone: false, answers, asked };
}

let at: ReturnType<typeof place>;
let confirmation: InstanceType<typeof Confirmation>;

beforeEach(() => {
  at = place();
  prefs.confirm = true;
  confirmation = new Confirmation(at);
});

/** Ask for a move, and let the server say what follows it. */
async function asked(final: string): Promise<{ given: Promise<boolean> }> {
  const given = confirmation.given(["place 1 3,5"]);
  at.answers[0]?.(final);
  await new Promise((done) => setTimeout(done));
  return { given };
}

describe("moves are played at once", () => {
  test("where nothing final follows", async () => {
    const { given } = await asked("");
    expect([await given, confirmation.pending]).toEqual([true, null]);
  });

  test("where nobody wants to be asked, and the server is not asked either", async () => {
    prefs.confirm = false;
    expect(await confirmation.given(["place 1 3,5"])).toBe(true);
    expect(at.answers).toEqual([]);
  });

  test("where they only change what can still be changed", async () => {
    expect(await confirmation.given(["bid 4"])).toBe(true);
    expect(at.answers).toEqual([]);
  });

  test("where nobody else has to agree to take them back, unless the game is over with them", async () => {
    at.isAlone = true;
    expect(await (await asked("shown")).given).toBe(true);
    at.answers.length = 0;
    await asked("over");
    expect(confirmation.pending?.follows).toBe("over");
  });
});

test("the server is asked once for all moves of a click", () => {
  void confirmation.given(["form I ooxt", "place 0 1,1"]);
  expect(at.asked).toEqual([["form I ooxt", "place 0 1,1"]]);
});

describe("moves that are final", () => {
  test.each([true, false])("wait for an answer, and it is taken: %s", async (isYes) => {
    const { given } = await asked("shown");
    expect(confirmation.pending).toEqual({ moves: ["place 1 3,5"], follows: "shown" });
    if (isYes) confirmation.yes();
    else confirmation.no();
    expect([await given, confirmation.pending]).toEqual([isYes, null]);
  });

  test("are given up when something else is begun, so that nobody waits for ever", async () => {
    const { given } = await asked("shown");
    prefs.confirm = false;
    expect(await confirmation.given(["place 0 1,1"])).toBe(true);
    expect(await given).toBe(false);
  });

  test("are given up when they cannot be done any more", async () => {
    const { given } = await asked("shown");
    confirmation.settle({ seat: 1, legal: ["place 1 3,5"] });
    expect(confirmation.pending).not.toBeNull();
    confirmation.settle({ seat: 1, legal: [] });
    expect(await given).toBe(false);
  });

  test("are given up when the screen turns to somebody else, also while the server is asked", async () => {
    const given = confirmation.given(["place 1 3,5"]);
    at.live.seat = 0;
    at.answers[0]?.("shown");
    expect([await given, confirmation.pending]).toEqual([false, null]);
  });
});
