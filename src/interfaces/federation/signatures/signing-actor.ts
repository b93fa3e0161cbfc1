import { hash } from 'node:crypto';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf } from '../remote/json.ts';
import { isUsable, keysElsewhere, keysIn, type NamedKey } from './named-keys.ts';

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
  /** Its keys at its own origin by id. */
  keys: readonly (readonly [keyId: string, key: NamedKey])[];
  /** The addresses of its keys that have documents of their own, at its own origin. */
  elsewhere: readonly string[];
}

/** Reads the document of an actor. Collections and keys at other origins are left out. */
export function signingActorOf(actor: RemoteDocument): SigningActor {
  const { id: owner, document } = actor;
  const origin = URL.parse(owner)?.origin;
  const isOwn = (uri: string): boolean => uri.length <= MAX_URI && URL.parse(uri)?.origin === origin;
  const collection = (name: string): string | null => {
    const uri = idOf(document[name]);
    return uri !== undefined && isOwn(uri) ? uri : null;
  };
  const { preferredUsername } = document;
  return {
    owner,
    followers: collection('followers'),
    featured: collection('featured'),
    username: typeof preferredUsername === 'string' ? preferredUsername.slice(0, MAX_USERNAME) : null,
    keys: keysIn(actor).filter(([keyId]) => isOwn(keyId)),
    elsewhere: keysElsewhere(actor).filter(isOwn),
  };
}

/** Returns the keys of an actor that can be used, by id. */
export const usableKeys = (keys: SigningActor['keys']): ReadonlyMap<string, NamedKey> =>
  new Map(keys.filter(([, key]) => isUsable(key)));

/** Returns a text that is equal for equal keys, collections and names, however keys are wrapped into lines. */
export function fingerprintOf({ followers, featured, username, keys, elsewhere }: SigningActor): string {
  const named = keys.map(([id, { pem, asserts }]) => [id, asserts, pem.replace(/\s+/g, '')].join(' '));
  const parts = [followers, featured, username, named.sort(), elsewhere.toSorted()];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
