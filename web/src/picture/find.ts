/** The pictures of the games, found by looking at the folders; each is loaded when it is first needed. */
import type { Component } from "svelte";
import type { PictureProps } from "../games/module";

type Picture = Component<PictureProps<unknown>>;

const found = import.meta.glob<Picture>("../games/*/Picture.svelte", { import: "default" });

export async function findPicture(game: string): Promise<Picture> {
  const load = found[`../games/${game}/Picture.svelte`];
  if (!load) throw new Error(`no picture of the game ${game}`);
  return await load();
}
