/** The sign of Mozaika in lists. */
import type { Kind } from "../look";

export const emblem: Kind = ["red", "triangle"];
