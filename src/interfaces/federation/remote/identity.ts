import { isActor } from './actor.ts';
import type { RemoteDocument } from './documents.ts';
import { idOf, listOf } from './json.ts';
import { RemoteError } from './remote-error.ts';

const MAX_ALIASES = 100;

/** The other accounts that an actor names as its own, and the one that it has moved to. */
export interface Identity {
  /** URIs. */
  alsoKnownAs: string[];
  hasMoved: boolean;
}

/**
 * Returns the identity of an actor (https://docs.joinmastodon.org/spec/activitypub/#Move). @throws
 * RemoteError for any other document
 */
export function identityOf(remote: RemoteDocument): Identity {
  if (!isActor(remote)) throw new RemoteError('is no account');
  const { document } = remote;
  const aliases = listOf(document['alsoKnownAs'], MAX_ALIASES).map(idOf);
  return { alsoKnownAs: aliases.filter((uri) => uri !== undefined), hasMoved: document['movedTo'] != null };
}
