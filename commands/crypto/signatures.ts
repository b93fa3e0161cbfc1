import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { invalid, type RookeryError } from '#kernel/errors.ts';
import type { CryptoDevice, OneTimeKey } from '#kernel/services/device-messages.ts';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** @throws RookeryError `invalid` unless both keys are Curve25519 public keys in base64 */
export function checkDevice({ identity_key, fingerprint_key }: CryptoDevice): void {
  if (!decode(identity_key, KEY_BYTES))
    throw refused('Identity key is not a valid Ed25519 or Curve25519 key');
  if (!decode(fingerprint_key, KEY_BYTES)) {
    throw refused('Fingerprint key is not a valid Ed25519 or Curve25519 key');
  }
}

/**
 * Checks that the device signed every key, so that only its owner can add keys: Ed25519 over the text of the
 * key.
 * @throws RookeryError `invalid`
 */
export function checkOneTimeKeys(keys: readonly OneTimeKey[], fingerprintKey: string): void {
  if (keys.length === 0) return;
  const signer = publicKey(fingerprintKey);
  for (const { key, signature } of keys) {
    if (!decode(key, KEY_BYTES)) throw refused('Key is not a valid Ed25519 or Curve25519 key');
    const bytes = decode(signature, SIGNATURE_BYTES);
    if (!signer || !bytes || !verify(null, Buffer.from(key), signer, bytes)) {
      throw refused('Signature is not a valid Ed25519 signature');
    }
  }
}

/**
 * Decodes base64 with or without padding. Returns undefined for other text, and for another number of bytes.
 */
function decode(text: string, length: number): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length ? bytes : undefined;
}

function publicKey(text: string): KeyObject | undefined {
  const bytes = decode(text, KEY_BYTES);
  if (!bytes) return undefined;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

const refused = (problem: string): RookeryError => invalid(`Validation failed: ${problem}`);
