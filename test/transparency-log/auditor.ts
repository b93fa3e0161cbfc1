import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * An auditor's own implementation, written from the RFC and the C2SP documents alone. It shares no code with
 * the tested modules. Hashes are base64.
 */
const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

export const leafHash = (line: string | Buffer): Buffer => sha256(Buffer.of(0), line);
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** Returns the Merkle Tree Hash of https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.1 */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256('');
  if (leaves.length === 1) return only;
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return node(treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)));
}

/** Verifies an inclusion proof: https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.3.2 */
export function includes(
  { leaf_index, tree_size, hashes }: { leaf_index: number; tree_size: number; hashes: readonly string[] },
  leaf: Buffer,
  root: Buffer,
): boolean {
  if (leaf_index >= tree_size) return false;
  let [fn, sn] = [leaf_index, tree_size - 1];
  let r = leaf;
  for (const p of hashes) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = node(bytes(p), r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else r = node(r, bytes(p));
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && r.equals(root);
}

/** Verifies a consistency proof: https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.4.2 */
export function continues(
  { from, to, hashes }: { from: number; to: number; hashes: readonly string[] },
  older: Buffer,
  newer: Buffer,
): boolean {
  if (from === to) return hashes.length === 0 && older.equals(newer);
  const path = hashes.map(bytes);
  if (Number.isInteger(Math.log2(from))) path.unshift(older);
  let [fn, sn] = [from - 1, to - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let [fr, sr] = [first, first];
  for (const c of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      fr = node(c, fr);
      sr = node(c, sr);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else sr = node(sr, c);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && fr.equals(older) && sr.equals(newer);
}

/**
 * Opens a checkpoint (https://c2sp.org/tlog-checkpoint). Returns undefined when this key (`name+id+key`) did
 * not sign it.
 */
export function openCheckpoint(
  note: string,
  verifierKey: string,
): { origin: string; size: number; root: Buffer } | undefined {
  const [name = '', , encoded = ''] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(verifierKey)?.slice(1) ?? [];
  const key = bytes(encoded);
  // The signatures of witnesses may follow.
  const [, text = '', signer = '', signed = ''] = /^([^]*\n)\n— (\S+) (\S+)\n(?:— .*\n)*$/.exec(note) ?? [];
  const id = sha256(name, '\n', key).subarray(0, 4);
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(1).toString('base64url') },
    format: 'jwk',
  });
  const good =
    signer === name &&
    bytes(signed).subarray(0, 4).equals(id) &&
    verify(null, Buffer.from(text), publicKey, bytes(signed).subarray(4));
  if (!good) return undefined;
  const [origin = '', size = '', root = ''] = text.split('\n');
  return { origin, size: Number(size), root: bytes(root) };
}
