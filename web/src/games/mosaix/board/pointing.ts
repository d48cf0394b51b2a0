/** From a point on the grid to the place of a formation, and back.

As the point crosses the grid the formation slides along under it: at the left edge the point holds its right end, at
the right edge its left end. So every placement, those that hang over the edges included, can be pointed at from
inside the grid, and the formation always lies under the point.
*/
import { side, type Place, type Shape } from "../pieces";

/** A point on the grid in cells, from 0 to 7. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const places = (length: number): number => side + length - 1;

function corner(at: number, length: number): number {
  const step = Math.floor((at / side) * places(length));
  return Math.min(Math.max(step, 0), places(length) - 1) - (length - 1);
}

function middle(start: number, length: number): number {
  return ((start + length - 0.5) * side) / places(length);
}

/** Where the shape's top left corner lies when it is held at this point. */
export function cornerAt(point: Point, shape: Shape): Place {
  return { column: corner(point.x, shape.width), row: corner(point.y, shape.height) };
}

/** The point that holds the shape with its top left corner here. */
export function pointAt(place: Place, shape: Shape): Point {
  return { x: middle(place.column, shape.width), y: middle(place.row, shape.height) };
}

/** The point one step further; it stays where it is at the last place that touches the grid. */
export function stepped(point: Point, shape: Shape, columns: number, rows: number): Point {
  const place = cornerAt(point, shape);
  return cornersKept(pointAt({ column: place.column + columns, row: place.row + rows }, shape), point);
}

function cornersKept(next: Point, before: Point): Point {
  const inside = (at: number): boolean => at > 0 && at < side;
  return inside(next.x) && inside(next.y) ? next : before;
}
