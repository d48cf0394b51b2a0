/** The games, found by looking at the folders; each is loaded when it is first needed. */
import type { GameModule } from "./module";

const found = import.meta.glob<{ game: GameModule }>("./*/index.ts");

export const gameNames = Object.keys(found).map((path) => path.split("/")[1] ?? "");

export async function findGame(name: string): Promise<GameModule> {
  const load = found[`./${name}/index.ts`];
  if (!load) throw new Error(`no pages for the game ${name}`);
  return (await load()).game;
}
