/** Fingers on the grid: one holds the formation, a tap on it turns it, two twist it. */
import type { Point } from "./pointing";

const STILL = 9; // pixels a finger may move and still be a tap
const QUARTER = Math.PI / 2;
const TWIST = 0.56 * QUARTER; // a little more than half a quarter, so that it does not flutter in between

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** What fingers can do. */
export interface Touched {
  pointOf: (event: PointerEvent) => Point;
  isOnGhost: (point: Point) => boolean;
  /** Where the formation is held now. */
  held: () => Point | null;
  hold: (point: Point) => void;
  turn: (quarters: number) => void;
}

export class Fingers {
  private readonly down = new Map<number, Finger>();
  private first: Finger | null = null;
  private before: Point | null = null;
  private isTap = false;
  private angle = 0;

  constructor(private readonly touched: Touched) {}

  press(event: PointerEvent): void {
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size === 1) this.begin(event);
    else this.join();
  }

  /** With a second finger the first did not mean to move anything. */
  private join(): void {
    this.isTap = false;
    this.angle = this.slope();
    if (this.before) this.touched.hold(this.before);
  }

  private begin(event: PointerEvent): void {
    this.before = this.touched.held();
    const point = this.touched.pointOf(event);
    this.first = { x: event.clientX, y: event.clientY };
    this.isTap = this.touched.isOnGhost(point);
    if (!this.isTap) this.touched.hold(point);
  }

  move(event: PointerEvent): void {
    if (!this.down.has(event.pointerId)) return;
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size === 2) this.twist();
    else if (this.down.size === 1) this.drag(event);
  }

  private drag(event: PointerEvent): void {
    const from = this.first;
    if (this.isTap && from && Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL) return;
    this.isTap = false;
    this.touched.hold(this.touched.pointOf(event));
  }

  private twist(): void {
    const change = Math.atan2(Math.sin(this.slope() - this.angle), Math.cos(this.slope() - this.angle));
    if (Math.abs(change) < TWIST) return;
    this.angle += QUARTER * Math.sign(change);
    this.touched.turn(Math.sign(change));
  }

  private slope(): number {
    const [one, other] = [...this.down.values()];
    return one && other ? Math.atan2(other.y - one.y, other.x - one.x) : 0;
  }

  /** A finger is lifted; a tap on the formation turns it. */
  lift(event: PointerEvent): void {
    if (!this.down.delete(event.pointerId)) return;
    if (this.isTap && event.type === "pointerup") this.touched.turn(1);
    this.isTap = false;
  }
}
