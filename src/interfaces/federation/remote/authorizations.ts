import type { Id } from '#kernel/ids.ts';
import { approverOf, type PostOfUri, postOfUri } from '#queries/federation/index.ts';
import { AUTHORIZATION_TYPES } from '../documents/authorizations.ts';
import { InboxTombstones } from '../inbox/tombstones.ts';
import { type Foreign, idOf, typesOf } from './json.ts';
import type { ForeignPost } from './post.ts';
import type { VerificationContext } from './quote-authorizations.ts';
import { ignoreRefusal, RemoteError } from './remote-error.ts';

/*
 * Approval of replies and announces by the authors of posts of other servers:
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/#validating-approvedby
 */

/** A fetched authorization that allows the interaction. */
export interface Authorization {
  uri: string;
  authorUri: string;
}

/** A reply or boost by a remote account. */
export interface Interaction {
  kind: 'reply' | 'announce';
  uri: string;
  accountId: Id;
  /** The URI of the authorization that it names; null for none. */
  authorization: string | null;
}

/**
 * Returns the authorization of an interaction, or null where the policy of the post asks for none, which is known without a request.
 * @throws RemoteError where the author of the post did not approve it, FetchError
 */
export async function requireAuthorization(
  looking: VerificationContext,
  interaction: Interaction,
  target: { id: Id; uri: string; policied: boolean },
): Promise<Authorization | null> {
  const { kind, accountId } = interaction;
  const approver = await approverOf(looking.ctx.db, kind, target, accountId);
  if (approver === null) return null;
  const found = await fetchAuthorization(looking, interaction, target.uri);
  if (found?.authorUri !== approver) {
    throw new RemoteError(`sent a ${kind} that the author of the post did not approve`);
  }
  return found;
}

/**
 * Verifies the authorization of a reply. If its parent is unknown, so is the parent's author: `linkReplies`
 * compares them later. `parent` is the parent if the caller has it. @throws RemoteError, FetchError
 */
export async function requireReplyAuthorization(
  looking: VerificationContext,
  { uri, inReplyTo, replyAuthorization }: ForeignPost,
  accountId: Id,
  parent?: PostOfUri,
): Promise<Authorization | null> {
  if (inReplyTo === null) return null;
  const { ctx } = looking;
  const reply: Interaction = { kind: 'reply', uri, accountId, authorization: replyAuthorization };
  const target = parent ?? (await postOfUri(ctx.db, ctx.instance, inReplyTo));
  if (target) return requireAuthorization(looking, reply, { ...target, uri: inReplyTo });
  return (await fetchAuthorization(looking, reply, inReplyTo).catch(ignoreRefusal)) ?? null;
}

/**
 * Returns the authorization that an interaction names, or undefined where it names none. It must be at the host of the post, and by an
 * account of it. @throws RemoteError, FetchError
 */
async function fetchAuthorization(
  { documents, signal }: VerificationContext,
  { kind, uri, authorization }: Interaction,
  target: string,
): Promise<Authorization | undefined> {
  if (authorization === null) return undefined;
  const { origin } = documents.assertForeign(authorization);
  if (origin !== URL.parse(target)?.origin) {
    throw new RemoteError('names an authorization that is not at the server of the post');
  }
  const { id, document } = await documents.get(authorization, signal);
  const authorUri = idOf(document['attributedTo'] ?? document['actor']);
  const isAuthors = authorUri !== undefined && URL.parse(authorUri)?.origin === origin;
  if (id !== authorization || !isAuthors || !allows(document, kind, { uri, target })) {
    throw new RemoteError(`names an authorization that does not allow the ${kind}`);
  }
  return { uri: id, authorUri };
}

/** Older servers name the post optionally, and those older than GoToSocial 0.19 serve the `Accept` itself. */
function allows(
  document: Foreign,
  kind: Interaction['kind'],
  { uri, target }: { uri: string; target: string },
): boolean {
  const types = typesOf(document);
  const [current, older] = AUTHORIZATION_TYPES[kind];
  if (types.includes(current)) {
    return idOf(document['interactingObject']) === uri && idOf(document['interactionTarget']) === target;
  }
  const isOlder = types.includes(older) || types.includes('Accept');
  return isOlder && idOf(document['object']) === uri && (idOf(document['target']) ?? target) === target;
}

/**
 * Returns true where the author took an authorization back while it was looked at. Asked after the interaction is kept: a later
 * `Delete` of the authorization finds it.
 */
export async function isRevoked(
  { ctx }: VerificationContext,
  authorization: Authorization | null,
): Promise<boolean> {
  if (authorization === null) return false;
  return new InboxTombstones(ctx.db).has(authorization.authorUri, authorization.uri);
}
