/** Addresses: the history of the browser is the only memory of where one is. */

let shown = $state(location.pathname + location.search);

/** The address that is shown, from the path on; reactive. */
export function address(): string {
  return shown;
}

/** The path that is shown, without what stands behind the question mark; reactive. */
export function path(): string {
  return shown.split("?")[0] ?? "/";
}

/** Go to an address of ours; `replace` leaves no way back to where one was. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  readAddress();
  scrollTo(0, 0);
}

/** Name the page in the window's title, and the house unless it stands there already. */
export function setTitle(title: string): void {
  const parts = title.includes("Smalti") ? [title] : [title, "Smalti"];
  document.title = parts.filter(Boolean).join(" · ");
}

function readAddress(): void {
  shown = location.pathname + location.search;
}

/** Return the address a click leads to, if it is a page of ours that opens in this window. */
function inside(event: MouseEvent): string | null {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!plain || event.defaultPrevented || !link?.href || link.target || link.hasAttribute("download")) return null;
  const to = new URL(link.href);
  const ours = to.origin === location.origin && !to.pathname.startsWith("/api/") && !to.hash;
  return ours ? to.pathname + to.search : null;
}

/** Follow links and the back button; returns how to stop. */
export function follow(): () => void {
  const click = (event: MouseEvent) => {
    const to = inside(event);
    if (to === null) return;
    event.preventDefault();
    go(to);
  };
  document.addEventListener("click", click);
  addEventListener("popstate", readAddress);
  return () => {
    document.removeEventListener("click", click);
    removeEventListener("popstate", readAddress);
  };
}

/** Let those who hear the page hear its heading first. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (!heading) return;
  if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
