import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { seal, unseal } from '../../kernel/seal.ts';
import { multikeyOf } from './signatures/multikey.ts';

/** A pair whose private key (PKCS#8, DER) is wrapped by the master key and bound to its account. */
export interface SealedPair {
  publicKey: string;
  wrapped: Buffer;
}

const rsaOwner = (accountId: string): string => `actor-key/${accountId}`;
const ed25519Owner = (accountId: string): string => `actor-assertion-key/${accountId}`;

/** Makes an RSA-2048 pair; the public key is SPKI, PEM. */
export async function sealedRsaPair(master: Buffer, accountId: string): Promise<SealedPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { publicKey, wrapped: seal(master, privateKey, rsaOwner(accountId)) };
}

/** Makes an Ed25519 pair; the public key is a Multikey. */
export async function sealedEd25519Pair(master: Buffer, accountId: string): Promise<SealedPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519', {});
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { publicKey: multikeyOf(publicKey), wrapped: seal(master, secret, ed25519Owner(accountId)) };
}

/** PKCS#8, DER. @throws when it belongs to another account */
export const unsealedRsaKey = (master: Buffer, accountId: string, wrapped: Buffer): Buffer =>
  unseal(master, wrapped, rsaOwner(accountId));

/** @throws when it belongs to another account */
export const unsealedEd25519Key = (master: Buffer, accountId: string, wrapped: Buffer): KeyObject =>
  createPrivateKey({
    key: unseal(master, wrapped, ed25519Owner(accountId)),
    format: 'der',
    type: 'pkcs8',
  });
