/** Pictures of tables, drawn where there is no browser: the very boards of the pages as one SVG. */
import type { Component } from "svelte";
import { render } from "svelte/server";
import type { PictureProps } from "../games/module";
import tokens from "../styles/tokens.css?raw";
import { withFigures } from "./figures";
import Frame from "./Frame.svelte";
import Plain from "./Plain.svelte";
import { pictureRules, sheetOf, tokensOf } from "./styles";

type Picture = Component<PictureProps<unknown>>;

const pictures = import.meta.glob<Picture>("../games/*/Picture.svelte", { eager: true, import: "default" });
const colours = tokensOf(tokens);

/** Draw a table of a game; `given` is what its picture is given, as JSON, and whether it is without a ground. */
export function draw(game: string, given: string): string {
  const Picture = pictures[`../games/${game}/Picture.svelte`] ?? Plain;
  const props = { Picture, ...(JSON.parse(given) as PictureProps<unknown> & { isBare?: boolean }) };
  const { head, body } = render(Frame as Component<typeof props>, { props });
  const styles = [...head.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, css = ""]) => css).join("");
  const rules = pictureRules(styles, colours);
  const svg = withFigures(body.replace(/<!--[^]*?-->/g, "").trim(), rules);
  return svg.replace(/^<svg[^>]*>/, (opening) => `${opening}<style>${sheetOf(rules)}</style>`);
}

Object.assign(globalThis, { draw });
