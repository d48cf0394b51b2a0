import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Presence } from "../src/api/wire";
import { Absence } from "../src/table/sitting/absence.svelte";

const presence = (absent: (number | null)[], host: number | null = null): Presence => ({
  t: "presence",
  seats: absent.map((left) => left === null),
  watching: 0,
  absent,
  host_absent: host,
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("whoever is away counts as absent when their time is over, one after the other", () => {
  const absence = new Absence();
  absence.take(presence([null, 10, 30, 0], 20));
  expect([absence.seats, absence.host]).toEqual([[3], false]);
  vi.advanceTimersByTime(10_100);
  expect([absence.seats, absence.host]).toEqual([[1, 3], false]);
  vi.advanceTimersByTime(10_100);
  expect([absence.seats, absence.host]).toEqual([[1, 3], true]);
  vi.advanceTimersByTime(10_100);
  expect(absence.seats).toEqual([1, 2, 3]);
});

test("whoever comes back is here again, and nothing happens later", () => {
  const absence = new Absence();
  absence.take(presence([null, 10], 10));
  absence.take(presence([null, null]));
  vi.advanceTimersByTime(60_000);
  expect([absence.seats, absence.host]).toEqual([[], false]);
  absence.take(presence([10, null]));
  absence.stop();
  vi.advanceTimersByTime(60_000);
  expect(absence.seats).toEqual([]);
});
