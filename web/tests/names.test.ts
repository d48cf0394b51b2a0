import { expect, test } from "vitest";
import type { Seat } from "../src/api/wire";
import { playedFor } from "../src/pages/parts/words";
import { seatNames } from "../src/table/words/names";

const seat = (more: Partial<Seat>): Seat =>
  ({ kind: "person", name: null, bot: null, here: true, mine: false, link: null, owner: null, ...more }) as Seat;

test("a seat that was handed on goes by its person's name until somebody takes it", () => {
  const free = seat({ kind: "free", owner: "Ada" });
  expect(seatNames([free, seat({ name: "Bo" })])).toEqual(["Ada", "Bo"]);
  expect(seatNames([{ ...free, kind: "person", name: "Ida" }])).toEqual(["Ida"]);
  expect(seatNames([seat({ kind: "free" })])).toEqual(["table.seat.number"]);
});

test("who comes by a handed-on link is told for whom", () => {
  const free = seat({ kind: "free", owner: "Ada" });
  expect(playedFor([free, seat({ name: "Bo" })])).toBe("Ada");
  expect(playedFor([free, { ...free, owner: "Cy" }])).toBe("Ada or Cy");
  expect(playedFor([seat({ kind: "free" }), seat({ name: "Bo", owner: "Ada" })])).toBe("");
});
