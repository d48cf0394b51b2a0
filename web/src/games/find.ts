/** The games, found by looking at the folders; each is loaded when it is first needed. */
import { games, needInfo } from "../api/games.svelte";
import type { GameModule } from "./module";
import { plainGame } from "./plain";

const found = import.meta.glob<{ game: GameModule }>("./*/index.ts");

/** The games that these pages have a board for. */
export const gameNames = Object.keys(found).map((path) => path.split("/")[1] ?? "");

/** The games to choose from, those with a board first; before the server has answered these, so that nothing jumps. */
export function offeredGames(): readonly string[] {
  if (!games.value) return gameNames;
  const names = games.value.map(({ name }) => name);
  return [...gameNames.filter((name) => names.includes(name)), ...names.filter((name) => !gameNames.includes(name))];
}

/** A game's own pages; one without any is played in words, by the name that the server gives it. */
export async function findGame(name: string): Promise<GameModule> {
  const load = found[`./${name}/index.ts`];
  if (load) return (await load()).game;
  await needInfo(name);
  return plainGame(name) as GameModule;
}
