/** The sign of Patterns in lists. */
import type { Kind } from "../look";

export const emblem: Kind = ["dark-blue", "star"];
