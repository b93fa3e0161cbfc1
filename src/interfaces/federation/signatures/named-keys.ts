import { createPublicKey } from 'node:crypto';
import type { RemoteDocument } from '../remote/documents.ts';
import { type Foreign, idOf, isObject, listOf, typesOf } from '../remote/json.ts';
import { type KeyType, publicKeyIn } from './multikey.ts';

/** A public key that an actor names as its own. */
export interface NamedKey {
  type: KeyType;
  /** SPKI, PEM. */
  pem: string;
  /** The actor names it in `assertionMethod`: it may prove what the actor says. */
  asserts: boolean;
}

/** The number of keys of one actor that are looked at. */
const MAX_KEYS = 20;
const MAX_PEM = 8_192;

/**
 * Returns the keys that the document of an actor contains, by id: those in `publicKey`, of any type, and those in
 * `assertionMethod`, which precede. https://w3id.org/fep/521a
 */
export function keysIn({ id: owner, document }: RemoteDocument): [keyId: string, key: NamedKey][] {
  const plain = listOf(document['publicKey'], MAX_KEYS).flatMap((value): [string, NamedKey][] => {
    const { id, owner: named, publicKeyPem: pem }: Foreign = isObject(value) ? value : {};
    const isNamed = typeof id === 'string' && idOf(named) === owner;
    return isNamed && typeof pem === 'string' && pem.length <= MAX_PEM
      ? [[id, { type: 'rsa', pem, asserts: false }]]
      : [];
  });
  const asserted = listOf(document['assertionMethod'], MAX_KEYS).flatMap((value): [string, NamedKey][] => {
    const keyId = idOf(value);
    const key = keyId === undefined ? undefined : assertedKey(owner, value);
    return keyId === undefined || !key ? [] : [[keyId, key]];
  });
  return [...plain, ...asserted];
}

/** Returns the addresses of keys in `assertionMethod` that have documents of their own. */
export const keysElsewhere = ({ document }: RemoteDocument): string[] =>
  listOf(document['assertionMethod'], MAX_KEYS).filter((value) => typeof value === 'string');

/** Returns the key in a document of its own; undefined when it does not name the owner as its controller. */
export const keyAlone = ({ document }: RemoteDocument, owner: string): NamedKey | undefined =>
  assertedKey(owner, document);

/** Returns the actor that a document of a key names, or the document itself if it is an actor's. */
export function ownerIn({ id, document }: RemoteDocument): string | undefined {
  if (document['publicKey'] !== undefined || document['assertionMethod'] !== undefined) return id;
  return idOf(document['owner']) ?? idOf(document['controller']);
}

/** Tells whether a key can be used: an RSA key only of a size whose signatures are verified fast enough. */
export const isUsable = ({ type, pem }: NamedKey): boolean => type !== 'rsa' || isStrongRsa(pem);

function assertedKey(owner: string, key: unknown): NamedKey | undefined {
  if (!isObject(key) || !typesOf(key).includes('Multikey') || idOf(key['controller']) !== owner)
    return undefined;
  const found = publicKeyIn(key['publicKeyMultibase']);
  return found && { ...found, asserts: true };
}

function isStrongRsa(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
    return (
      asymmetricKeyType === 'rsa' &&
      modulusLength >= 2_048 &&
      modulusLength <= 4_096 &&
      publicExponent <= 65_537n
    );
  } catch {
    return false;
  }
}
