/** A run of words that is in both texts, or in one of them. */
export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Longer differences are shown as a whole: the work grows with the product of the lengths. */
const MAX_CELLS = 40_000;

/** Returns what changed from one text to another, by words. Pure. */
export function wordDiff(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return joined([
    ...now.slice(0, start).map((text): Piece => ({ kind: 'same', text })),
    ...middle,
    ...now.slice(now.length - end).map((text): Piece => ({ kind: 'same', text })),
  ]);
}

/** Words and the spaces between them. */
const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];

function between(old: readonly string[], now: readonly string[]): Piece[] {
  const whole: Piece[] = [
    ...old.map((text): Piece => ({ kind: 'gone', text })),
    ...now.map((text): Piece => ({ kind: 'new', text })),
  ];
  if (old.length * now.length > MAX_CELLS) return whole;
  const common = commonLengths(old, now);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      pieces.push({ kind: 'same', text: now[j] ?? '' });
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      pieces.push({ kind: 'gone', text: old[i] ?? '' });
      i += 1;
    } else {
      pieces.push({ kind: 'new', text: now[j] ?? '' });
      j += 1;
    }
  }
  return [...pieces, ...whole.slice(i, old.length), ...whole.slice(old.length + j)];
}

/** The length of the longest common subsequence of the rests after each pair of positions. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row = [], below = []] = [lengths[i], lengths[i + 1]];
    for (let j = now.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === now[j] ? 1 + (below[j + 1] ?? 0) : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

function joined(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = [];
  for (const { kind, text } of pieces) {
    const last = runs.at(-1);
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + text };
    else runs.push({ kind, text });
  }
  return runs;
}
