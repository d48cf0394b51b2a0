import { beforeEach, describe, expect, it, vi } from "vitest";
import { lastSettings, remember } from "../src/pages/new/quick";
import { mozaika } from "./infos";

const link = { kind: "link" };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

describe("the settings of a quick match", () => {
  it("are what is usual, with company, before there are any", () => {
    expect(lastSettings(mozaika)).toEqual({ seats: 3, options: { hands: "open" }, terms: {} });
  });

  it("are those used last, each game for itself", () => {
    remember({ game: "mozaika", seats: [link, link, link, link], options: { hands: "hidden" } });
    remember({ game: "patterns", seats: [link, link] });
    expect(lastSettings(mozaika)).toEqual({ seats: 4, options: { hands: "hidden" }, terms: {} });
  });

  it("are not those of a game alone", () => {
    remember({ game: "mozaika", seats: [link], options: { hands: "hidden" } });
    expect(lastSettings(mozaika).options).toEqual({ hands: "open" });
  });

  it("keep what was agreed, but not what was meant for one table", () => {
    const terms = { language: "hu", code: "a deal", clock: { kind: "live", seconds: 300 } } as object;
    remember({ game: "mozaika", seats: [link, link, link], terms });
    expect(lastSettings(mozaika).terms).toEqual({ clock: { kind: "live", seconds: 300 } });
  });

  it.each([
    ["{", "no JSON"],
    ["null", "nothing"],
    ['{"mozaika": {"seats": 1, "options": {"hands": "x"}, "terms": 3}}', "unknown"],
    ['{"mozaika": {"seats": 9, "options": null}}', "gone"],
  ])("are what is usual where %s is kept (%s)", (text) => {
    localStorage.setItem("quick", text);
    expect(lastSettings(mozaika)).toEqual({ seats: 3, options: { hands: "open" }, terms: {} });
  });
});
