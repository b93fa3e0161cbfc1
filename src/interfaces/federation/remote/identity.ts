import { isActor } from './actor.ts';
import type { RemoteDocument } from './documents.ts';
import { idOf, listOf } from './json.ts';
import { RemoteError } from './remote-error.ts';

const MAX_ALIASES = 100;

/** Which other accounts an actor names as its own, and whether it goes on as another one. */
export interface Identity {
  /** URIs. */
  alsoKnownAs: string[];
  hasMoved: boolean;
}

/** https://docs.joinmastodon.org/spec/activitypub/#Move @throws RemoteError for what is no actor */
export function identityOf(remote: RemoteDocument): Identity {
  if (!isActor(remote)) throw new RemoteError('is no account');
  const { document } = remote;
  const aliases = listOf(document['alsoKnownAs'], MAX_ALIASES).map(idOf);
  return {
    alsoKnownAs: aliases.filter((uri) => uri !== undefined),
    hasMoved: document['movedTo'] != null,
  };
}
