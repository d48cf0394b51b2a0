/** Long lists of moves, made short: grouped by verb, found by typing. */

/** Moves that begin with the same word. */
export interface Group {
  readonly verb: string;
  readonly moves: readonly string[];
}

/** The moves by their verbs, in the order the verbs first come. */
export function grouped(moves: readonly string[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const move of moves) {
    const verb = move.split(" ")[0] ?? move;
    groups.set(verb, [...(groups.get(verb) ?? []), move]);
  }
  return [...groups].map(([verb, found]) => ({ verb, moves: found }));
}

/** The moves in whose words or notation everything typed occurs. */
export function matching(moves: readonly string[], words: (move: string) => string, typed: string): string[] {
  const wanted = plain(typed).split(" ").filter(Boolean);
  if (wanted.length === 0) return [...moves];
  return moves.filter((move) => {
    const text = plain(`${move} ${words(move)}`);
    return wanted.every((part) => text.includes(part));
  });
}

/** Text without accents and case, so that both can be left out in typing. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
