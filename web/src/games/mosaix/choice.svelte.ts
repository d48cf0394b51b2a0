/** What somebody has in mind before it is written: a formation, its arrangement, its turns, and where it is held. */
import { stepped, type Point } from "./board/pointing";
import { turnedShape, type Formation } from "./pieces";

export class Choice {
  formation = $state<Formation | null>(null);
  arrangement = $state("");
  turns = $state(0);
  /** Where the formation is held over the grid; null while it is not. */
  point = $state.raw<Point | null>(null);

  /** Begin anew with these dice. */
  begin(dice: string): void {
    this.formation = null;
    this.arrangement = dice;
    this.turns = 0;
    this.point = null;
  }

  /** Turn by quarters, clockwise if positive. */
  turn(quarters: number): void {
    this.turns = (this.turns + quarters + 4) % 4;
  }

  /** Let two dice change places. */
  swap(one: number, other: number): void {
    const dice = [...this.arrangement];
    [dice[one], dice[other]] = [dice[other] ?? "", dice[one] ?? ""];
    this.arrangement = dice.join("");
  }

  /** Go on to the next of these arrangements, or back. */
  cycle(arrangements: readonly string[], by: number): void {
    const next = arrangements.indexOf(this.arrangement) + by + arrangements.length;
    this.arrangement = arrangements[next % arrangements.length] ?? this.arrangement;
  }

  /** Move the formation by a cell; one that is not held yet appears in the middle. */
  step(formation: Formation, columns: number, rows: number): void {
    const middle = { x: 3.5, y: 3.5 };
    this.point = this.point ? stepped(this.point, turnedShape(formation, this.turns), columns, rows) : middle;
  }
}
