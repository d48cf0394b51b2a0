/** Refusals in words: the rules give a key and values, the page says the sentence. */
import type { Because } from "../api/wire";
import { has, t } from "../texts/texts.svelte";
import type { GameModule } from "./module";

type Values = GameModule["values"];

/** How a game says the values of its refusals: seats by name, and by these what it has words of its own for. */
export function valuesBy(words: Readonly<Record<string, (value: string) => string>>): Values {
  return (values, names) => {
    const said = (key: string, value: unknown): string | number => {
      if (key === "seat") return names[Number(value)] ?? "";
      if (words[key]) return words[key](String(value));
      return typeof value === "number" ? value : String(value);
    };
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, said(key, value)]));
  };
}

/** Why a move is not possible; the server's own sentence where the pages have none. */
export function reasonText(because: Because, values: Values, names: readonly string[]): string {
  const key = `reason.${because.reason}`;
  return has(key) ? t(key, values(because.values, names)) : because.sentence;
}
