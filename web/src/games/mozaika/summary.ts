/** The situation in a few sentences, and its parts. */
import type { MozaikaView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { rounds } from "./pieces";
import { coinWords, listed, nameOf, tileWords } from "./words";

/** The situation in a few sentences: round, what is asked of whom, what lies open, who holds the bag. */
export function summary(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  if (view.phase === "over") return t("mozaika.told.over");
  const head = t("mozaika.told.head", {
    round: view.round,
    rounds,
    phase: t(`mozaika.phase.${view.phase}`),
    name: nameOf(names, view.starter),
  });
  const open = view.display.length ? t("mozaika.told.open", { tiles: listed(view.display.map(tileWords)) }) : "";
  return [head, open, asked(view, seat, names), flyWords(view, names)].filter(Boolean).join(" ");
}

/** Who is to act, said to this seat. */
export function asked(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  const next = view.phase === "picking" ? (view.order?.[view.picked] ?? null) : view.fly;
  if (view.phase === "picking") return next === seat ? t("mozaika.ask.pick") : waits("pick", names, next);
  if (view.phase === "flying") return next === seat ? t("mozaika.ask.fly") : waits("fly", names, next);
  if (view.phase === "bidding" || view.phase === "laying") return together(view, seat, names);
  return "";
}

function waits(verb: "pick" | "fly", names: readonly string[], seat: number | null): string {
  return verb === "pick"
    ? t("mozaika.wait.pick", { name: nameOf(names, seat) })
    : t("mozaika.wait.fly", { name: nameOf(names, seat) });
}

function together(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  const bidding = view.phase === "bidding";
  const bid = seat === null ? null : (view.places[seat]?.bid ?? null);
  if (seat !== null && view.waiting.includes(seat)) return bidding ? t("mozaika.ask.bid") : t("mozaika.ask.lay");
  const sealed = bidding && bid !== null ? t("mozaika.told.sealed", { coins: coinWords(bid) }) : "";
  return [sealed, missing(view, names)].filter(Boolean).join(" ");
}

/** Who has yet to bid or lay. */
export function missing(view: MozaikaView, names: readonly string[]): string {
  return t("mozaika.missing", { names: listed(view.waiting.map((seat) => nameOf(names, seat))) });
}

/** When flies come, and who gets the one of this round. */
export function flyWords(view: MozaikaView, names: readonly string[]): string {
  if (view.phase === "flying") return "";
  if (view.fly !== null) return t("mozaika.flies.goes", { name: nameOf(names, view.fly) });
  if (view.round < view.flies_from) return t("mozaika.flies.from", { round: view.flies_from });
  return view.phase === "bidding" ? t("mozaika.flies.now") : "";
}
