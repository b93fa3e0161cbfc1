import { nodeHash } from './merkle.ts';

/**
 * Returns the root that an inclusion proof leads to; undefined when its hashes do not fit the size.
 * https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.3.2
 */
export function rootOfInclusion(
  leaf: Buffer,
  { index, size, hashes }: { index: number; size: number; hashes: readonly Buffer[] },
): Buffer | undefined {
  let [place, last, root] = [index, size - 1, leaf];
  if (place > last) return undefined;
  for (const hash of hashes) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      root = nodeHash(hash, root);
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else root = nodeHash(root, hash);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/**
 * Tells whether the tree of `to` leaves with the root `newer` begins with that of `from` leaves and the root
 * `older`. https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.4.2
 */
export function isConsistent(
  { from, to, hashes }: { from: number; to: number; hashes: readonly Buffer[] },
  older: Buffer,
  newer: Buffer,
): boolean {
  if (from === to) return hashes.length === 0 && older.equals(newer);
  const [first, ...rest] = Number.isInteger(Math.log2(from)) ? [older, ...hashes] : hashes;
  if (!first) return false;
  let [place, last] = [from - 1, to - 1];
  while (place % 2 === 1) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = nodeHash(hash, before);
      after = nodeHash(hash, after);
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else after = nodeHash(after, hash);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && before.equals(older) && after.equals(newer);
}
