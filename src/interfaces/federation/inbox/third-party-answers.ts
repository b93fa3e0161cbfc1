import { followersUriOf, isFollowedHere, postOfUri } from '#queries/federation/index.ts';
import { isInteractionRequest } from '../documents/authorizations.ts';
import { idOf, isObject, typesOf } from '../remote/json.ts';
import { postOf } from '../remote/post.ts';
import type { ActivityContext } from './activity-context.ts';
import { keepRequested } from './kept-posts.ts';
import { revokeApproval } from './revocations.ts';

/*
 * Handles answers to interactions between two remote servers. Authors may send their answers to all of their followers:
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/#acceptance
 */

/** Returns the URI of the remote interaction that an answer is about; undefined for an answer to a follow. */
export function interactionElsewhere({
  activity: { object },
  instance,
}: ActivityContext): string | undefined {
  const types = isObject(object) ? typesOf(object) : [];
  const named = isObject(object) && isInteractionRequest(types) ? object['instrument'] : object;
  const uri = types.includes('Follow') ? undefined : idOf(named);
  return uri === undefined || uri.startsWith(`${instance.origin}/`) ? undefined : uri;
}

/** Applies the answer of an author to a remote interaction with their post. */
export async function handleThirdPartyAnswer(
  context: ActivityContext,
  how: 'accept' | 'reject',
  uri: string,
): Promise<void> {
  await (how === 'reject'
    ? revokeApproval(context, { by: 'uri', name: uri })
    : ingestApprovedReply(context, uri));
}

/**
 * Fetches an approved reply if a local user follows the author of the post. The reply may have been sent
 * before it was approved.
 * @throws RemoteError, FetchError
 */
async function ingestApprovedReply(context: ActivityContext, uri: string): Promise<void> {
  const { ctx, instance, known, activity, documents, fetcher, signal } = context;
  const { object, document } = activity;
  const answered = idOf(document['target']) ?? (isObject(object) ? idOf(object['object']) : undefined);
  const target = answered === undefined ? undefined : await postOfUri(ctx.db, instance, answered);
  if (!known || !target?.policied || target.account_id !== known.id) return;
  if (!(await isFollowedHere(ctx.db, known.id)) || (await postOfUri(ctx.db, instance, uri))) return;
  const post = postOf(await documents.get(uri, signal), ctx.now);
  if (post.uri !== uri || post.inReplyTo !== answered) return;
  const accountId = await fetcher.author(post.authorUri);
  const replyAuthorization = idOf(document['result']) ?? activity.id;
  const followers = await followersUriOf(ctx.db, accountId);
  await keepRequested({ ...context, followers }, { ...post, replyAuthorization }, accountId);
}
