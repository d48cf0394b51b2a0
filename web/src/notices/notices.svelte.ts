/** Being told that it is one's turn while no page is open: whether it is switched on, and switching it. */
import { endNotices, getNotices, problemOf, wantNotices } from "../api/http";
import type { Problem } from "../api/wire";
import { current } from "../texts/texts.svelte";

/** Off and on; or why it cannot be had: the browser was told to block it, the page came without https, it cannot do it. */
export type Standing = "unknown" | "off" | "on" | "blocked" | "insecure" | "missing";

const WORKER = "/worker.js";
const KEY = "notices";

/** The language in which this browser is told; empty if it is not. */
function keptLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keepLanguage(language: string): void {
  try {
    if (language) localStorage.setItem(KEY, language);
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing is asked again each time; the server knows best anyway.
  }
}

/** Why it cannot be had here, if so. */
function hindrance(): Standing | null {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "missing";
  return Notification.permission === "denied" ? "blocked" : null;
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether a subscription was made for this key; a server that was set up anew has another one. */
function isFor(made: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(made.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** Subscribe at the browser's push service; what was made for another key is given up. */
async function subscribed(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before && isFor(before, key)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Tell the server where this browser wants to be told. */
async function register(made: PushSubscription): Promise<void> {
  const { endpoint, keys } = made.toJSON();
  await wantNotices({
    endpoint: endpoint ?? "",
    key: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
    language: current(),
  });
  keepLanguage(current());
}

class Notices {
  standing = $state<Standing>("unknown");
  busy = $state(false);
  /** What the server had against it. */
  problem = $state.raw<Problem | null>(null);
  /** Whether the browser's own push service could not be reached. */
  failed = $state(false);

  private refreshing: Promise<void> | null = null;

  /** Find out how it stands; several who ask at once get one answer. */
  refresh(): Promise<void> {
    this.refreshing ??= this.find().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** A browser that is subscribed, and that the server does not know any more, is made known again. */
  private async find(): Promise<void> {
    const hindered = hindrance();
    if (hindered || this.busy) return void (this.standing = hindered ?? this.standing);
    try {
      const made = await subscription();
      const { key, on } = made ? await getNotices() : { key: "", on: false };
      const whole = on && made !== null && isFor(made, key) && keptLanguage() === current();
      if (made && !whole) await register(await subscribed(key));
      this.standing = made ? "on" : "off";
    } catch {
      this.standing = "off";
    }
  }

  /** Ask the browser's permission, subscribe, and tell the server. */
  async switchOn(): Promise<void> {
    await this.attempt(async () => {
      const allowed = await Notification.requestPermission();
      if (allowed !== "granted") return hindrance() ?? "off";
      const { key } = await getNotices();
      const made = await subscribed(key).catch(() => null);
      this.failed = made === null;
      if (!made) return "off";
      await register(made).catch(async (error: unknown) => {
        await made.unsubscribe();
        throw error;
      });
      return "on";
    });
  }

  /** Leave nothing behind, neither here nor on the server. */
  async switchOff(): Promise<void> {
    await this.attempt(async () => {
      const made = await subscription();
      if (made) await endNotices({ endpoint: made.endpoint });
      await made?.unsubscribe();
      await (await navigator.serviceWorker.getRegistration("/"))?.unregister();
      keepLanguage("");
      return "off";
    });
  }

  /** Be told in another language from now on, if at all. */
  async speak(language: string): Promise<void> {
    const before = keptLanguage();
    if (before && before !== language) await this.refresh();
  }

  private async attempt(deed: () => Promise<Standing>): Promise<void> {
    if (this.busy) return;
    [this.busy, this.failed, this.problem] = [true, false, null];
    try {
      this.standing = await deed();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.busy = false;
  }
}

export const notices = new Notices();
