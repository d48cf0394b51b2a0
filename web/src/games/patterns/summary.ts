/** The situation in a sentence or two. */
import type { PatternsView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { worthOf } from "./pieces";
import { colourWord, nameOf } from "./words";

/** Whose turn it is and what is asked. */
export function summary(view: PatternsView, seat: number | null, names: readonly string[]): string {
  const scores = view.groups.map((_, n) =>
    t("patterns.summary.points", { name: nameOf(names, n), points: worthOf(view, n) }),
  );
  const asked = askedOf(view, seat, names);
  const isScored = view.phase !== "dealing" && view.phase !== "giving";
  return isScored ? t("patterns.summary.both", { asked, first: scores[0] ?? "", second: scores[1] ?? "" }) : asked;
}

function askedOf(view: PatternsView, seat: number | null, names: readonly string[]): string {
  if (view.turn === null) return view.phase === "over" ? t("patterns.summary.over") : t("patterns.summary.dealing");
  const values = { name: nameOf(names, view.turn), colour: colourWord(view.bowls?.[view.turn] ?? "") };
  const isMine = seat === view.turn;
  if (view.phase === "giving") return isMine ? t("patterns.summary.you-give") : t("patterns.summary.gives", values);
  if (view.phase === "flipping") return isMine ? t("patterns.summary.you-flip") : t("patterns.summary.flips", values);
  return isMine ? t("patterns.summary.you-play", values) : t("patterns.summary.plays", values);
}
