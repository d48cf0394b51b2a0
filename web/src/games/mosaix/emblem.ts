/** The sign of Mosaix in lists. */
import type { Kind } from "../look";

export const emblem: Kind = ["plum", "cross"];
