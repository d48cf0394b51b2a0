/** Do something now, and every few seconds while the page is seen. */

const EVERY = 15_000;

/** Begin; returns how to stop. */
export function often(act: () => Promise<void>, every = EVERY): () => void {
  const look = () => {
    if (!document.hidden) void act();
  };
  const clock = setInterval(look, every);
  document.addEventListener("visibilitychange", look);
  void act();
  return () => {
    clearInterval(clock);
    document.removeEventListener("visibilitychange", look);
  };
}
