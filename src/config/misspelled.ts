/** A variable that is no setting, and the setting that it looks like. */
export interface Misspelled {
  name: string;
  meant: string;
}

/** Shorter names look like too many others: `PORTS`, `ROLES`. */
const SHORTEST = 6;
/** From this length on, two letters may be wrong. */
const LONG = 10;

/**
 * Returns the variables that are probably settings with a wrong name: `LOCALDOMAIN`, `DATABASE_URI`. An empty variable counts as not
 * set. The environment has much that is not for Rookery, so only close names count.
 */
export function misspelledSettings(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Misspelled[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (known.includes(name) || name.length < SHORTEST || !value?.trim()) return [];
    const meant = closestTo(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function closestTo(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name);
  const near = known
    .filter((each) => each.length >= SHORTEST && Math.abs(each.length - name.length) <= 3)
    .map((each) => ({ each, distance: distanceBetween(plain, plainOf(each)) }))
    .filter(({ each, distance }) => distance <= (each.length >= LONG ? 2 : 1) && !isAnotherWord(name, each))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.each;
}

const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * Tells whether two names differ by a whole short word, as `SMTP_HOST` and `SMTP_PORT` or `DB_PORT` and `DB_POOL` do: these are
 * settings of other programs.
 */
function isAnotherWord(one: string, other: string): boolean {
  const [words, others] = [one, other].map((name) => name.toUpperCase().split('_')) as [string[], string[]];
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, index) => {
    const opposite = others[index] ?? '';
    return word === opposite
      ? []
      : [distanceBetween(word, opposite) / Math.max(word.length, opposite.length)];
  });
  return different.some((share) => share >= 0.5);
}

/** The optimal string alignment distance: how many letters are missing, added, wrong or swapped with the next one. */
function distanceBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      now.push(
        Math.min(
          at(rows, row - 1, column) + 1,
          (now[column - 1] ?? Infinity) + 1,
          at(rows, row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(rows, row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(now);
  }
  return at(rows, one.length, other.length);
}

const at = (rows: readonly (readonly number[])[], row: number, column: number): number =>
  rows[row]?.[column] ?? Infinity;
