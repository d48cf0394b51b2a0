/** Problems in words. */
import type { Problem } from "../api/wire";
import { botName } from "../bots/levels";
import { has, t } from "../texts/texts.svelte";
import { notBefore } from "../texts/when";

/** Say a problem in the reader's language, else in English. */
export function problemText(problem: Problem): string {
  if (!has(`reason.${problem.reason}`)) return problem.sentence;
  const values = Object.entries(problem.values).map(([key, value]) => [key, shown(key, value)]);
  const when = notBefore(Number(problem.values["seconds"] ?? 0));
  return t(`reason.${problem.reason}`, { ...Object.fromEntries(values), when });
}

/** A value of a problem as it stands in its sentence. */
function shown(key: string, value: unknown): string | number {
  if (typeof value === "number") return value;
  return key === "bot" ? botName(String(value)) : String(value);
}
