/**
 * The styles of the boards for a picture that no browser draws: colours of the tokens filled in, by night, and only what
 * an SVG knows. Rules for screens of some size, or for a pointer, have no meaning there and are left out.
 */
const known = /^(?:fill|stroke|opacity|display|visibility|font|text-anchor|paint-order)/;
const variable = /var\((--[\w-]+)(?:,\s*([^()]+))?\)/g;

export interface Rule {
  selector: string;
  declarations: readonly (readonly [name: string, value: string])[];
}

/** Take away comments, and blocks that begin with an @ and whatever is in them. */
function plain(css: string): string {
  let [found, depth, skipped] = ["", 0, 0];
  for (const sign of css.replace(/\/\*[^]*?\*\//g, "")) {
    if (sign === "@" && !skipped) skipped = depth + 1;
    if (sign === "{") depth += 1;
    if (!skipped) found += sign;
    if (sign === "}" && --depth < skipped) skipped = 0;
  }
  return found;
}

function declarationsOf(body: string): Rule["declarations"] {
  return body.split(";").flatMap((line) => {
    const at = line.indexOf(":");
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
  });
}

function rulesOf(css: string): Rule[] {
  return [...plain(css).matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = "", body = ""]) =>
    selectors.split(",").map((selector) => ({
      selector: selector.replace(/:where\(([^()]+)\)/g, "$1").trim(),
      declarations: declarationsOf(body),
    })),
  );
}

/** The tokens by name; of two colours the one for the night. */
export function tokensOf(css: string): Map<string, string> {
  const root = rulesOf(css).filter(({ selector }) => selector === ":root");
  const pairs = root.flatMap(({ declarations }) => declarations.filter(([name]) => name.startsWith("--")));
  return new Map(pairs.map(([name, value]) => [name, value.replace(/light-dark\([^,()]+,\s*([^()]+)\)/g, "$1")]));
}

/** Fill the tokens in; nothing if one of them is not known and has nothing in its place. */
function filled(value: string, tokens: ReadonlyMap<string, string>): string | null {
  let isKnown = true;
  const found = value.replace(variable, (_, name: string, other: string | undefined) => {
    const token = tokens.get(name) ?? other;
    isKnown &&= token !== undefined;
    return token ?? "";
  });
  return isKnown ? found : null;
}

/** The rules of styles that mean something in a picture. */
export function pictureRules(css: string, tokens: ReadonlyMap<string, string>): Rule[] {
  const rules = rulesOf(css).map(({ selector, declarations }) => ({
    selector,
    declarations: declarations.flatMap(([name, value]) => {
      const shown = known.test(name) ? filled(value, tokens) : null;
      return shown === null ? [] : [[name, shown] as const];
    }),
  }));
  return rules.filter(({ selector, declarations }) => declarations.length && !selector.includes(":"));
}

/** Write rules as a style sheet. */
export function sheetOf(rules: readonly Rule[]): string {
  return rules
    .map(({ selector, declarations }) => `${selector}{${declarations.map((pair) => pair.join(":")).join(";")}}`)
    .join("");
}

/** The value of the last rule about an element with these classes, wherever it stands. */
export function lastMatching(
  rules: readonly Rule[],
  tag: string,
  classes: readonly string[],
  name: RegExp,
): string | undefined {
  const about = rules.filter(({ selector }) => {
    const [first = "", ...wanted] = (selector.split(/\s+/).at(-1) ?? "").split(".");
    return (first === "" || first === tag) && wanted.every((one) => classes.includes(one));
  });
  return about.flatMap(({ declarations }) => declarations.filter(([own]) => name.test(own))).at(-1)?.[1];
}
