/** The situation in a sentence or two. */
import type { MosaixView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { symbolWords } from "./words";

function formingText(view: MosaixView, seat: number | null, names: readonly string[]): string {
  const symbols = symbolWords(view.dice ?? "");
  if (view.roller === seat) return t("mosaix.summary.forming.you", { symbols });
  return t("mosaix.summary.forming", { name: names[view.roller] ?? "", symbols });
}

function writingText(view: MosaixView, seat: number | null, names: readonly string[]): string {
  const values = { formation: view.formation ?? "", symbols: symbolWords(view.arrangement ?? "") };
  if (seat !== null && view.waiting.includes(seat)) return t("mosaix.summary.writing.you", values);
  const waiting = view.waiting.map((number) => names[number] ?? "").join(", ");
  return t("mosaix.summary.writing", { ...values, names: waiting });
}

function overText({ idle, patience }: MosaixView): string {
  return patience > 0 && idle === patience ? t("mosaix.summary.over.idle", { patience }) : t("mosaix.summary.over");
}

/** Whose turn it is and what is asked, in a sentence or two. */
export function summary(view: MosaixView, seat: number | null, names: readonly string[]): string {
  if (view.phase === "forming") return formingText(view, seat, names);
  if (view.phase === "writing") return writingText(view, seat, names);
  if (view.phase === "over") return overText(view);
  return view.phase === "dealing"
    ? t("mosaix.summary.dealing")
    : t("mosaix.summary.rolling", { name: names[view.roller] ?? "" });
}
