import { expect, test } from "vitest";
import type { Happening } from "../src/api/wire";
import { stands, takeback, stood } from "../src/table/line/takebacks";
import { happening } from "./happenings";

const event = (n: number, by: number | null, more: Partial<Happening> = {}) =>
  happening(n, by, `move ${String(n)}`, more);

const story = [
  event(1, null),
  event(2, 0),
  event(3, 1, { gone: 4 }),
  event(4, 1, { back: true, do: null }),
  event(5, 1),
];

test("what was taken back, and the taking back, do not stand", () => {
  expect(story.filter(stands).map(({ n }) => n)).toEqual([1, 2, 5]);
});

test("what was taken back had happened for what came before that, and had not for what came after", () => {
  const before = (when: Happening) => story.filter((other) => stood(other, when)).map(({ n }) => n);
  expect(before(event(4, 1))).toEqual([1, 2]);
  expect(before(event(3.5, 1))).toEqual([1, 2, 3]);
  expect(before(event(6, 0))).toEqual([1, 2, 5]);
});

test("the last step of somebody at this screen can be taken back as the server says", () => {
  expect(takeback({ back: ["ask", "free"] }, story, [0])).toEqual({ seat: 0, free: false });
  expect(takeback({ back: ["ask", "free"] }, story, [1])).toEqual({ seat: 1, free: true });
  expect(takeback({ back: ["ask", "free"] }, story, [0, 1])).toEqual({ seat: 1, free: true });
  expect(takeback({ back: ["", ""] }, story, [0, 1])).toBeNull();
  expect(takeback({ back: ["ask", "free"] }, story, [])).toBeNull();
  expect(takeback({ back: ["ask", "ask", "ask"] }, story, [2])).toBeNull();
});
