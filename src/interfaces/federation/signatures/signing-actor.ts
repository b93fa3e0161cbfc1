import { createPublicKey, hash } from 'node:crypto';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, isObject, listOf, type Foreign } from '../remote/json.ts';

const MAX_KEYS = 20;
const MAX_PEM = 8_192;
const MAX_URI = 2_048;
const MAX_USERNAME = 256;

/** The part of an actor's document that its signatures need. */
export interface SigningActor {
  /** Its URI. */
  owner: string;
  /** Its collections of followers and of pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
  /** Its name on its server; null without one. */
  username: string | null;
  /** Its keys at its own origin by id: SPKI, PEM, of any type. */
  pems: ReadonlyMap<string, string>;
}

/** Reads the document of an actor. Collections and keys at other origins are left out. */
export function signingActorOf({ id: owner, document }: RemoteDocument): SigningActor {
  const origin = URL.parse(owner)?.origin;
  const isOwn = (uri: unknown): uri is string =>
    typeof uri === 'string' && uri.length <= MAX_URI && URL.parse(uri)?.origin === origin;
  const collection = (name: string): string | null => {
    const uri = idOf(document[name]);
    return isOwn(uri) ? uri : null;
  };
  const { preferredUsername } = document;
  const keys = listOf(document['publicKey'], MAX_KEYS).flatMap((value): [string, string][] => {
    const { id, owner: named, publicKeyPem: pem }: Foreign = isObject(value) ? value : {};
    const isNamed = isOwn(id) && idOf(named) === owner && typeof pem === 'string' && pem.length <= MAX_PEM;
    return isNamed ? [[id, pem]] : [];
  });
  return {
    owner,
    followers: collection('followers'),
    featured: collection('featured'),
    username: typeof preferredUsername === 'string' ? preferredUsername.slice(0, MAX_USERNAME) : null,
    pems: new Map(keys),
  };
}

/** Returns a text that is equal for equal keys, collections and names, however keys are wrapped into lines. */
export function fingerprintOf({ followers, featured, username, pems }: SigningActor): string {
  const keys = [...pems].map(([id, pem]) => [id, pem.replace(/\s+/g, '')]).sort();
  return hash('sha256', JSON.stringify([followers, featured, username, keys]), 'base64url');
}

/** Tells whether a key can be used: RSA, of a size whose signatures are verified fast enough. */
export function isStrongRsa(pem: string): boolean {
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
