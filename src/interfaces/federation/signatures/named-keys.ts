import { createPublicKey } from 'node:crypto';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, isObject, listOf, typesOf, type Foreign } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { publicKeyIn, type KeyType } from './multikey.ts';

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

/** Returns the PEM of the key with this id that an actor names as its own, whatever its type. */
export function namedKey(actor: RemoteDocument, keyId: string): unknown {
  const key = listOf(actor.document['publicKey'], MAX_KEYS).find(
    (value): value is Foreign =>
      isObject(value) && value['id'] === keyId && idOf(value['owner']) === actor.id,
  );
  return key?.['publicKeyPem'] ?? assertedKey(actor, keyId)?.pem;
}

/**
 * Returns the key with this id of an actor. `source` is the document at the key's address: the actor, or that of
 * the key alone. @throws RemoteError
 */
export function keyNamedBy(actor: RemoteDocument, keyId: string, source: RemoteDocument): NamedKey {
  const asserted = assertedKey(actor, keyId, source);
  if (asserted && (asserted.type !== 'rsa' || isStrongRsa(asserted.pem)))
    return { ...asserted, asserts: true };
  const pem = namedKey(actor, keyId);
  if (typeof pem !== 'string' || pem.length > 8_192 || !isStrongRsa(pem))
    throw new RemoteError('has no key that can be used');
  return { type: 'rsa', pem, asserts: false };
}

/** Returns the actor that a document of a key names, or the document itself if it is an actor's. */
export function ownerIn({ id, document }: RemoteDocument): string | undefined {
  if (document['publicKey'] !== undefined || document['assertionMethod'] !== undefined) return id;
  return idOf(document['owner']) ?? idOf(document['controller']);
}

/** https://w3id.org/fep/521a: the list contains keys, or the addresses of their documents. */
function assertedKey({ id, document }: RemoteDocument, keyId: string, source?: RemoteDocument) {
  const named = listOf(document['assertionMethod'], MAX_KEYS).find((value) => idOf(value) === keyId);
  const key = typeof named === 'string' && source?.id === keyId ? source.document : named;
  if (!isObject(key) || !typesOf(key).includes('Multikey') || idOf(key['controller']) !== id)
    return undefined;
  return publicKeyIn(key['publicKeyMultibase']);
}

/** Verifying a signature with a larger key takes too long. */
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
