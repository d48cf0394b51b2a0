import { expect, test } from "vitest";
import { follow } from "../src/api/preparing";
import { gameInfo } from "./infos";

const games = (mosaix: number, patterns: number) => [
  gameInfo("mosaix", { ready: mosaix }),
  gameInfo("patterns", { ready: patterns }),
];

test("a game is followed until its own rules are compiled, whatever the others wait for", () => {
  expect(follow(games(40, 10), "mosaix", 0)).toEqual({ game: "mosaix", percent: 40, isReady: false });
  expect(follow(games(100, 10), "mosaix", 40)).toEqual({ game: "mosaix", percent: 100, isReady: true });
});

test("where nobody has said which game it is, it is the only one that is not ready", () => {
  expect(follow(games(100, 10), null, 0)).toEqual({ game: "patterns", percent: 10, isReady: false });
  expect(follow(games(40, 10), null, 0)).toEqual({ game: null, percent: 10, isReady: false });
  expect(follow(games(100, 100), null, 90)).toEqual({ game: null, percent: 90, isReady: true });
});

test("until the server has told of its games, what was told with the refusal counts", () => {
  expect(follow([], "mosaix", 25)).toEqual({ game: "mosaix", percent: 25, isReady: false });
});
