/** The games of this server, fetched once for all pages. */
import { getGames, ProblemError } from "./http";
import { Loaded } from "./loaded.svelte";
import type { GameInfo } from "./wire";

export const games = new Loaded<readonly GameInfo[]>(getGames);

/** What the server tells of a game; null while it is not known, or is none. */
export function infoOf(name: string): GameInfo | null {
  return games.value?.find((info) => info.name === name) ?? null;
}

/** Fetch the games unless they are there. */
export async function needGames(): Promise<void> {
  if (!games.value) await games.load();
}

/** What the server tells of a game, as soon as it is known. */
export async function needInfo(name: string): Promise<GameInfo> {
  await needGames();
  if (games.problem) throw new ProblemError(games.problem);
  const info = infoOf(name);
  if (!info) throw new Error(`no game ${name}`);
  return info;
}
