/** Texts in several languages: ICU messages, those of the pages here, those that Python says too beside what says them. */
import { IntlMessageFormat } from "intl-messageformat";
import { languages, type Language } from "./languages";

type Catalogue = Record<string, string>;
const files = import.meta.glob<{ default: Catalogue }>([
  "./*/*.json",
  "../../../src/smalti/{engine,server,games/*}/texts/*.json",
]);

let language = $state<Language>("en");
let catalogue = $state.raw<Catalogue>({});
let parsed: Record<string, IntlMessageFormat> = {};

/** The language that is shown. */
export function current(): Language {
  return language;
}

/** The language to begin with: the one chosen before, else the first of the browser's that we have. */
export function preferred(): Language {
  const chosen = [localStorage.getItem("language") ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (
    languages.find((known) => known === chosen.find((tag) => (languages as readonly string[]).includes(tag))) ?? "en"
  );
}

/** Show everything in this language from now on. */
export async function speak(chosen: Language): Promise<void> {
  const loaders = Object.entries(files).filter(
    ([path]) => path.startsWith(`./${chosen}/`) || path.endsWith(`/texts/${chosen}.json`),
  );
  const parts = await Promise.all(loaders.map(([, load]) => load()));
  parsed = {};
  catalogue = Object.assign({}, ...parts.map((part) => part.default)) as Catalogue;
  language = chosen;
  document.documentElement.lang = chosen;
}

/** Choose a language and keep the choice. */
export async function choose(chosen: Language): Promise<void> {
  localStorage.setItem("language", chosen);
  await speak(chosen);
}

/** Whether there is a text for this key. */
export function has(key: string): boolean {
  return key in catalogue;
}

/** The text for a key, its values filled in. */
export function t(key: string, values: Record<string, string | number> = {}): string {
  const source = catalogue[key];
  if (source === undefined) return key;
  let message = parsed[key];
  if (!message) {
    message = new IntlMessageFormat(source, language, undefined, { ignoreTag: true });
    parsed[key] = message;
  }
  return String(message.format(values));
}
