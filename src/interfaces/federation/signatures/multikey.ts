import { createPublicKey, type KeyObject, type PublicKeyInput } from 'node:crypto';
import baseX from '@multiformats/base-x';

/** https://www.w3.org/TR/cid-1.0/#multibase-0 */
const BASE58 = baseX('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** An ML-DSA-44 key has 1,314 bytes: 1,796 characters in base 58, which takes quadratic time. */
const MAX_KEY = 2_048;

/** The kinds of public keys that other servers may prove things with. */
export type AssertionKeyType = 'ed25519' | 'ml-dsa-44';
/** The kinds of public keys of other servers; the first two also sign requests. */
export type KeyType = 'rsa' | AssertionKeyType;

/**
 * The prefix of a Multikey, the length of the raw key, and the DER before the raw key in its SPKI form.
 * https://www.w3.org/TR/cid-1.0/#Multikey, https://www.rfc-editor.org/rfc/rfc8410, https://www.rfc-editor.org/rfc/rfc9881
 */
const KINDS: Readonly<Record<AssertionKeyType, { prefix: string; length: number; spki: string }>> = {
  ed25519: { prefix: 'ed01', length: 32, spki: '302a300506032b6570032100' },
  'ml-dsa-44': { prefix: '9024', length: 1_312, spki: '30820532300b06096086480165030403110382052100' },
};

/** The prefix of an RSA key in PKCS#1. */
const RSA = '8524';

export const base58Of = (bytes: Uint8Array): string => `z${BASE58.encode(bytes)}`;

/** Decodes base 58 (`z`) or base64url (`u`); undefined for anything else, and for more than `max` characters. */
export function multibaseBytes(text: unknown, max: number): Buffer | undefined {
  if (typeof text !== 'string' || text.length > max) return undefined;
  const digits = text.slice(1);
  if (text.startsWith('u')) return BASE64URL.test(digits) ? Buffer.from(digits, 'base64url') : undefined;
  const bytes = text.startsWith('z') ? BASE58.decodeUnsafe(digits) : undefined;
  return bytes && Buffer.from(bytes);
}

/** Returns the `publicKeyMultibase` of an Ed25519 key. */
export function multikeyOf(publicKey: KeyObject): string {
  const { prefix, spki } = KINDS.ed25519;
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(spki.length / 2);
  return base58Of(Buffer.concat([Buffer.from(prefix, 'hex'), raw]));
}

/** Reads a `publicKeyMultibase`; undefined when it is none of these kinds, or this Node cannot use it. */
export function publicKeyIn(multibase: unknown): { type: KeyType; pem: string } | undefined {
  const bytes = multibaseBytes(multibase, MAX_KEY);
  if (!bytes) return undefined;
  const prefix = bytes.subarray(0, 2).toString('hex');
  if (prefix === RSA) return publicKeyOf({ key: bytes.subarray(2), format: 'der', type: 'pkcs1' }, 'rsa');
  for (const [type, kind] of Object.entries(KINDS) as [AssertionKeyType, (typeof KINDS)['ed25519']][]) {
    if (kind.prefix !== prefix || bytes.length !== kind.length + 2) continue;
    const key = Buffer.concat([Buffer.from(kind.spki, 'hex'), bytes.subarray(2)]);
    return publicKeyOf({ key, format: 'der', type: 'spki' }, type);
  }
  return undefined;
}

function publicKeyOf(input: PublicKeyInput, type: KeyType): { type: KeyType; pem: string } | undefined {
  try {
    return { type, pem: createPublicKey(input).export({ type: 'spki', format: 'pem' }).toString() };
  } catch {
    return undefined;
  }
}
