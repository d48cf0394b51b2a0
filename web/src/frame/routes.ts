/** Which page an address shows. Each page is fetched when it is first needed. */
import type { Component } from "svelte";

/** A page to be shown: how to fetch it, and what it is given. */
export interface Route {
  load: () => Promise<Component<Record<string, unknown>>>;
  props: Record<string, unknown>;
}

type Module<Props extends Record<string, unknown>> = () => Promise<{ default: Component<Props> }>;

/** Forget which props a page takes, once they are known to fit. */
function page<Props extends Record<string, unknown>>(module: Module<Props>, props: Props): Route {
  const load = async () => (await module()).default as unknown as Component<Record<string, unknown>>;
  return { load, props };
}

const home = () => import("../pages/home/HomePage.svelte");
const fresh = () => import("../pages/new/NewPage.svelte");
const join = () => import("../pages/lobby/JoinPage.svelte");
const lobby = () => import("../pages/lobby/LobbyPage.svelte");
const archive = () => import("../pages/archive/ArchivePage.svelte");
const about = () => import("../pages/about/AboutPage.svelte");
const fair = () => import("../pages/about/FairnessPage.svelte");
const deal = () => import("../pages/new/DealPage.svelte");
const record = () => import("../pages/archive/ImportPage.svelte");
const onward = () => import("../pages/new/ContinuePage.svelte");
const lost = () => import("../pages/about/LostPage.svelte");
const table = () => import("../table/play/TablePage.svelte");
const replay = () => import("../replay/ReplayPage.svelte");

/** What was written into an address; a mistyped escape is taken as it stands. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A number in an address; none if it is something else. */
function numberOf(part: string): number | null {
  return /^\d{1,6}$/.test(part) ? Number(part) : null;
}

/** Return the page of an address. */
export function find(address: string): Route {
  const [path = "", behind] = address.split("?");
  const query = new URLSearchParams(behind);
  const [where = "", one, two, ...rest] = path.split("/").filter(Boolean).map(plain);
  const parts = rest.length ? 9 : [where, one, two].filter(Boolean).length;
  if (parts === 0) return page(home, {});
  if (parts === 1 && where === "lobby") return page(lobby, {});
  if (parts === 1 && where === "archive") return page(archive, {});
  if (parts === 1 && where === "import") return page(record, {});
  if (parts === 1 && where === "about") return page(about, { part: query.get("part") ?? "" });
  if (parts === 1 && where === "fairness") return page(fair, {});
  if (parts === 2 && one) return ofOne(where, one, query);
  if (parts === 3 && one && two) return ofTwo(where, one, two, query);
  return page(lost, {});
}

function ofOne(where: string, one: string, query: URLSearchParams): Route {
  if (where === "new") return page(fresh, { game: one, preset: query.get("for") ?? "" });
  if (where === "table") return page(table, { id: one, watchKey: null });
  if (where === "game" || where === "g") return page(replay, { id: one, place: null });
  return page(lost, {});
}

function ofTwo(where: string, one: string, two: string, query: URLSearchParams): Route {
  if (where === "deal") return page(deal, { game: one, code: two, chosen: Object.fromEntries(query) });
  if (where === "join") return page(join, { id: one, key: two });
  if (where === "watch") return page(table, { id: one, watchKey: two });
  if (where === "g") return page(replay, { id: one, place: numberOf(two) });
  if (where === "continue") return page(onward, { id: one, n: numberOf(two) ?? 0 });
  return page(lost, {});
}
