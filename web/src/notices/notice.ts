/** A turn notice in words. */

/** What the server tells: whose turn it is, and where; and the language in which it is to be said. */
export interface Notice {
  readonly table: string;
  readonly game: string;
  readonly n: number;
  readonly seat: number;
  readonly language: string;
}

/** By language: texts by their keys. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the worker asks of a page, and tells it. */
export type FromWorker = { readonly t: "where" } | { readonly t: "go"; readonly path: string };

/** Where a page is, and whether it is visible. */
export interface Visibility {
  readonly path: string;
  readonly visible: boolean;
}

/** Read a notice; null if it is none. */
export function noticeOf(text: string): Notice | null {
  try {
    const found = JSON.parse(text) as Partial<Notice> | null;
    const whole = typeof found?.table === "string" && typeof found.game === "string" && found.table !== "";
    return whole ? (found as Notice) : null;
  } catch {
    return null;
  }
}

/** Say a notice; in English where the language is none of ours. */
export function said(notice: Notice, texts: Texts): { title: string; body: string; lang: string } {
  const lang = notice.language in texts ? notice.language : "en";
  const own = texts[lang] ?? {};
  const game = own[`game.${notice.game}.title`] ?? notice.game;
  return { title: own["push.title"] ?? "", body: (own["push.body"] ?? "").replace("{game}", game), lang };
}

/** The page of a table. */
export function pathOf(table: string): string {
  return `/table/${encodeURIComponent(table)}`;
}
