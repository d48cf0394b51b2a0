/** Do something now, and every few seconds while the page is seen. */

const EVERY = 15_000;

/** Begin; returns how to stop. */
export function poll(act: () => Promise<void>, every = EVERY): () => void {
  const actIfSeen = () => {
    if (!document.hidden) void act();
  };
  const clock = setInterval(actIfSeen, every);
  document.addEventListener("visibilitychange", actIfSeen);
  void act();
  return () => {
    clearInterval(clock);
    document.removeEventListener("visibilitychange", actIfSeen);
  };
}
