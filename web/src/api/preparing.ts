/** How far the rules of a game are compiled, after the server has been started. */
import type { GameInfo } from "./wire";

export interface Progress {
  /** The game that is waited for; null where it could be one of several. */
  game: string | null;
  percent: number;
  isReady: boolean;
}

/** Follow one game, or the only one that is not ready; until the server has told of them, `percent` is what is known. */
export function follow(infos: readonly GameInfo[], game: string | null, percent: number): Progress {
  const unready = infos.filter((info) => info.ready < 100);
  const awaited = game ?? (unready.length === 1 ? (unready[0]?.name ?? null) : null);
  const ready = infos.find((info) => info.name === awaited)?.ready;
  const least = unready.length ? Math.min(...unready.map((info) => info.ready)) : percent;
  return {
    game: awaited,
    percent: Math.round(ready ?? least),
    isReady: infos.length > 0 && (game === null ? unready.length === 0 : (ready ?? 100) >= 100),
  };
}
