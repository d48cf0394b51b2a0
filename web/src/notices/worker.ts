/** Works while no page is open: shows turn notices, and leads to the table. It fetches and keeps nothing. */
import { noticeOf, pathOf, said, type FromWorker, type Notice, type Visibility, type Texts } from "./notice";

/** What a service worker is given; the types of pages and of workers do not go together. */
interface Window {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: FromWorker, ports?: readonly MessagePort[]): void;
}
interface Happening extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Pushed extends Happening {
  readonly data: { text(): string } | null;
}
interface Pressed extends Happening {
  readonly notification: Notification;
}
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(what: "install", act: (event: Happening) => void): void;
  addEventListener(what: "push", act: (event: Pushed) => void): void;
  addEventListener(what: "notificationclick", act: (event: Pressed) => void): void;
}

declare const WORKER_TEXTS: Texts;

/** How long a page may take to say where it is, in milliseconds. */
const PATIENCE = 1500;
const worker = self as unknown as Worker;

/** Ask a page where it is: the browser may only know where it was opened. One that sleeps does not answer. */
function visibilityOf(page: Window): Promise<Visibility> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const known = { path: new URL(page.url).pathname, visible: page.visibilityState === "visible" };
    const late = setTimeout(() => resolve(known), PATIENCE);
    port1.onmessage = (answer: MessageEvent<Visibility>) => {
      clearTimeout(late);
      resolve(answer.data);
    };
    page.postMessage({ t: "where" }, [port2]);
  });
}

/** The pages that show a table, those in sight first. */
async function pagesAt(path: string): Promise<readonly (Visibility & { page: Window })[]> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const seen = await Promise.all(pages.map(async (page) => ({ page, ...(await visibilityOf(page)) })));
  return seen.filter((one) => one.path === path).sort((one, two) => Number(two.visible) - Number(one.visible));
}

/** Show a notice, unless its table is in sight. */
async function show(notice: Notice): Promise<void> {
  const [nearest] = await pagesAt(pathOf(notice.table));
  if (nearest?.visible) return;
  const { title, body, lang } = said(notice, WORKER_TEXTS);
  await worker.registration.showNotification(title, {
    body,
    lang,
    tag: notice.table,
    icon: "/icon-192.png",
    data: notice,
  });
}

/** Go to a table: to the page that shows it, else to a new one. */
async function lead(notice: Notice): Promise<void> {
  const path = pathOf(notice.table);
  const [nearest] = await pagesAt(path);
  if (!nearest) return void (await worker.clients.openWindow(path));
  await nearest.page.focus();
  nearest.page.postMessage({ t: "go", path });
}

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("push", (event) => {
  const notice = noticeOf(event.data?.text() ?? "");
  if (notice) event.waitUntil(show(notice));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data as Notice));
});
