/** What somebody likes: kept in this browser, never sent. */

export type Theme = "system" | "light" | "dark";
export type Motion = "system" | "off";

const KEY = "prefs";
const BEFORE = {
  theme: "system" as Theme,
  sound: false,
  motion: "system" as Motion,
  textView: false,
  /** Whether to ask before what cannot be taken back. */
  confirm: true,
  name: "",
};
export type Prefs = typeof BEFORE;

/** Return what was kept, as far as it is still of the right kind. */
function stored(): Partial<Prefs> {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    const known = Object.entries(BEFORE).filter(([key, first]) => typeof found[key] === typeof first);
    return Object.fromEntries(known.map(([key]) => [key, found[key]]));
  } catch {
    return {};
  }
}

const chosen: Prefs = $state({ ...BEFORE, ...stored() });

function show(): void {
  const root = document.documentElement;
  if (chosen.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = chosen.theme;
  root.dataset.motion = chosen.motion;
}

function store(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // A browser that keeps nothing still shows what was chosen, until the page is left.
  }
}

/** Reactive to read; whatever is set is shown and kept at once. */
export const prefs: Prefs = new Proxy(chosen, {
  set(target, key, value) {
    const done = Reflect.set(target, key, value);
    show();
    store();
    return done;
  },
});

/** Whether animations are switched off, here or in the system. */
export function reducesMotion(): boolean {
  return chosen.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

show();
