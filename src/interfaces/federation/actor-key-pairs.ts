import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { MasterKey } from '#kernel/master-key.ts';
import { multikeyOf } from './signatures/multikey.ts';

/** A pair whose private key (PKCS#8, DER) is wrapped by the master key and bound to its account. */
export interface SealedPair {
  publicKey: string;
  wrapped: Buffer;
}

/** Makes an RSA-2048 pair; the public key is SPKI, PEM. */
export async function sealedRsaPair(master: MasterKey, accountId: string): Promise<SealedPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { publicKey, wrapped: master.box('actorKeys').seal(privateKey, accountId) };
}

/** Makes an Ed25519 pair; the public key is a Multikey. */
export async function sealedEd25519Pair(master: MasterKey, accountId: string): Promise<SealedPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519', {});
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { publicKey: multikeyOf(publicKey), wrapped: master.box('assertionKeys').seal(secret, accountId) };
}

/** PKCS#8, DER. @throws when it belongs to another account */
export const unsealedRsaKey = (master: MasterKey, accountId: string, wrapped: Buffer): Buffer =>
  master.box('actorKeys').unseal(wrapped, accountId);

/** @throws when it belongs to another account */
export const unsealedEd25519Key = (master: MasterKey, accountId: string, wrapped: Buffer): KeyObject =>
  createPrivateKey({
    key: master.box('assertionKeys').unseal(wrapped, accountId),
    format: 'der',
    type: 'pkcs8',
  });
