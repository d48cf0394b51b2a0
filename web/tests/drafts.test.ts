import { describe, expect, it } from "vitest";
import { draft, leastSeats, namesakes, order, presetOf, resized } from "../src/pages/new/drafts";
import { gameInfo } from "./infos";

const mosaix = gameInfo("mosaix", { seats: [1, 2, 3, 4], bots: ["level-1", "level-2", "level-3"] });

describe("a table before it is made", () => {
  it("has somebody else at it, even where one can play alone", () => {
    expect(leastSeats(mosaix)).toBe(2);
  });

  it("looks like the preset it was made from, until a seat is changed", () => {
    const seats = draft(mosaix, 3, "friends", "Ada");
    expect(presetOf(seats)).toBe("friends");
    const changed = seats.map((seat, n) => (n === 2 ? { ...seat, kind: "bot" as const } : seat));
    expect(presetOf(changed)).toBeNull();
  });

  it("keeps who sits there when seats are added or taken away", () => {
    const two = draft(mosaix, 2, "bots", "Ada");
    expect(resized(two, 4, mosaix).map((seat) => seat.kind)).toEqual(["here", "bot", "bot", "bot"]);
    expect(resized(two, 1, mosaix)).toEqual(two.slice(0, 1));
  });

  it("is listed only if a seat is free", () => {
    const closed = order("mosaix", draft(mosaix, 2, "bots", " Ada "), { listed: true });
    expect(closed.listed).toBe(false);
    expect(closed.seats).toEqual([
      { kind: "here", name: "Ada" },
      { kind: "bot", bot: "level-3" },
    ]);
    expect(order("mosaix", draft(mosaix, 2, "friends", "Ada"), { listed: true }).listed).toBe(true);
  });

  it("knows at which seats a name stands twice", () => {
    const seats = draft(mosaix, 4, "screen", "Ada").map((seat, n) => ({
      ...seat,
      name: ["Ada", "Bo", " ada ", ""][n] ?? "",
    }));
    expect(namesakes(seats)).toEqual([0, 2]);
    expect(namesakes(seats.map((seat, n) => (n ? { ...seat, kind: "bot" as const } : seat)))).toEqual([]);
  });
});
