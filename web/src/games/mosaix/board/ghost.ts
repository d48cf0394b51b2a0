/** The formation as it is held over a grid, not written yet. */
import { landing, turnedShape, writePlacement, type Formation, type Landed } from "../pieces";
import { cornerAt, type Point } from "./pointing";

export interface Ghost {
  readonly formation: Formation;
  readonly landed: readonly Landed[];
  /** The placement as it stands in a record. */
  readonly placement: string;
  readonly fits: boolean;
  readonly leftOut: number;
}

/** Hold an arranged formation at a point; `places` lists where it could be written. */
export function ghostAt(
  formation: Formation,
  arrangement: string,
  turns: number,
  point: Point,
  places: ReadonlySet<string>,
): Ghost {
  const placement = { turns, ...cornerAt(point, turnedShape(formation, turns)) };
  const landed = landing(formation, arrangement, placement);
  const text = writePlacement(placement);
  const leftOut = landed.filter(({ cell }) => cell === null).length;
  return { formation, landed, placement: text, fits: places.has(text), leftOut };
}

/** Whether a point of the grid lies on the ghost, the hollow beside its cells included: a finger is broad. */
export function isOn(ghost: Ghost | null, point: Point): boolean {
  const landed = ghost?.landed ?? [];
  const within = (at: number, cells: readonly number[]): boolean =>
    at >= Math.min(...cells) && at < Math.max(...cells) + 1;
  return (
    within(
      point.x,
      landed.map(({ column }) => column),
    ) &&
    within(
      point.y,
      landed.map(({ row }) => row),
    )
  );
}
