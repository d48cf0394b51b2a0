/** What pages and the worker that shows notices have to say to each other. */
import { go, path } from "../browser/router.svelte";
import { pathOf, type FromWorker, type Visibility } from "./notice";

/** Tell the worker where this page is, and go where a notice leads; returns how to stop. */
export function answerWorker(): () => void {
  if (!("serviceWorker" in navigator)) return () => {};
  const hear = ({ data, ports }: MessageEvent<FromWorker>) => {
    if (data.t === "where") ports[0]?.postMessage(visibility());
    else if (path() !== data.path) go(data.path);
  };
  navigator.serviceWorker.addEventListener("message", hear);
  navigator.serviceWorker.startMessages();
  return () => navigator.serviceWorker.removeEventListener("message", hear);
}

function visibility(): Visibility {
  return { path: location.pathname, visible: document.visibilityState === "visible" };
}

async function takeAway(table: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  for (const shown of (await registration?.getNotifications({ tag: table })) ?? []) shown.close();
}

/** Take the notice of a table away whenever the table is in sight; returns how to stop. */
export function dismissNotices(table: string): () => void {
  if (!("serviceWorker" in navigator) || !("Notification" in window)) return () => {};
  const look = () => {
    const here = document.visibilityState === "visible" && location.pathname === pathOf(table);
    if (here) void takeAway(table).catch(() => {});
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => document.removeEventListener("visibilitychange", look);
}
