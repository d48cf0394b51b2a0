import { beforeAll, describe, expect, it } from "vitest";
import { games } from "../src/api/games.svelte";
import { optionWords } from "../src/pages/lobby/agreed";
import { hostFirst } from "../src/pages/parts/words";
import { t } from "../src/texts/texts.svelte";
import { mozaika } from "./infos";

beforeAll(() => {
  expect(t("lobby.usual")).toBe("lobby.usual"); // no catalogue is loaded: keys stand for texts
});

describe("what was agreed", () => {
  it("says nothing of options where a game has none", () => {
    expect(optionWords("patterns", {})).toEqual([]);
  });

  it("names an option that is not the usual one, as soon as that is known", () => {
    expect(optionWords("mozaika", { hands: "hidden" })).toEqual([]);
    games.value = [mozaika];
    expect(optionWords("mozaika", { hands: "open" })).toEqual(["lobby.usual"]);
    expect(optionWords("mozaika", { hands: "hidden" })).toEqual(["hidden"]);
  });
});

describe("who waits", () => {
  it("begins with the host, once", () => {
    expect(hostFirst(["Bo", "Ada", "Ada"], "Ada")).toEqual(["lobby.host", "Bo", "Ada"]);
  });

  it("is as it is where the host has no seat", () => {
    expect(hostFirst(["Bo"], null)).toEqual(["Bo"]);
    expect(hostFirst(["Bo"], "Ada")).toEqual(["Bo"]);
  });
});
