/** Who is absent: the server says in how many seconds somebody counts as gone, the page waits for it by itself. */
import type { Presence } from "../../api/wire";

export class Absence {
  /** The seats whose person is absent. */
  seats = $state.raw<readonly number[]>([]);
  host = $state(false);

  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The server has said who is here. */
  take(presence: Presence): void {
    clearTimeout(this.timer);
    const since = performance.now();
    const look = (): void => {
      const past = (performance.now() - since) / 1000;
      const isGone = (left: number | null): boolean => left !== null && left <= past;
      this.seats = presence.absent.flatMap((left, seat) => (isGone(left) ? [seat] : []));
      this.host = isGone(presence.host_absent);
      const waiting = [...presence.absent, presence.host_absent].filter((left) => left !== null && left > past);
      const next = Math.min(...waiting.map(Number));
      if (waiting.length) this.timer = setTimeout(look, 1000 * (next - past) + 50);
    };
    look();
  }

  /** The page goes. */
  stop(): void {
    clearTimeout(this.timer);
  }
}
