import {
  deleteRemoteStatus,
  recordRemotePollResult,
  type RemoteOwn,
  upsertRemoteStatus,
} from '#commands/federation/index.ts';
import type { Id } from '#kernel/ids.ts';
import { localAccounts, ownIdIn, type PostOfUri } from '#queries/federation/index.ts';
import { isRevoked, requireReplyAuthorization } from '../remote/authorizations.ts';
import { statusOf } from '../remote/content.ts';
import { type Mentioned, mentionedAccounts } from '../remote/mentions.ts';
import type { ForeignPost } from '../remote/post.ts';
import { verifyQuote } from '../remote/quote-authorizations.ts';
import { ignoreRemoteError } from '../remote/remote-error.ts';
import { type ActivityContext, fetchedPost, seenPost } from './activity-context.ts';

/**
 * Stores a post that was fetched for a request, such as one to quote a local post. Returns its id, or
 * undefined if it was deleted here.
 * @throws RemoteError, FetchError
 */
export async function keepRequested(
  context: ActivityContext,
  post: ForeignPost,
  accountId: Id,
): Promise<Id | undefined> {
  if (await isTombstoned(context, post)) return undefined;
  const here = await localAccounts(context.ctx.db, [...new Set([...post.mentions, ...post.addressed])]);
  const parent = post.inReplyTo === null ? undefined : await seenPost(context, post.inReplyTo, accountId);
  return keepPost(context, post, { accountId, here, parent, isFollowed: false });
}

/** Returns whether the author deleted the post before it arrived. */
export const isTombstoned = (
  { tombstones }: ActivityContext,
  { authorUri, uri }: ForeignPost,
): Promise<boolean> => tombstones.has(authorUri, uri);

interface Kept {
  accountId: Id;
  here: readonly { uri: string }[];
  parent: PostOfUri | undefined;
  isFollowed: boolean;
}

/**
 * Stores a post with its poll and its quote. Returns its id, or undefined if it was deleted here.
 * @throws RemoteError for a reply that the author of a remote post did not approve, FetchError
 */
export async function keepPost(
  context: ActivityContext,
  post: ForeignPost,
  { accountId, here, parent, isFollowed }: Kept,
): Promise<Id | undefined> {
  const { ctx, followers } = context;
  const authorization = await requireReplyAuthorization(context, post, accountId, parent);
  const mentions = await mentionsIn(context, post, here);
  const quoted = await quotedBy(context, post, { accountId, isFollowed });
  const surroundings = { accountId, mentions, parent, quoted, followers, authorization };
  const id = await upsertRemoteStatus(ctx, statusOf(post, surroundings, ctx.newId));
  if (id === undefined) return undefined;
  if (await isRevoked(context, authorization)) {
    await deleteRemoteStatus(ctx, { id, accountId });
    return undefined;
  }
  if (post.poll?.tally) await recordRemotePollResult(ctx, { id, accountId, tally: post.poll.tally });
  await verifyQuoteOf(context, { id, accountId }, post, quoted);
  return id;
}

/** Returns the quoted post if the author may see it. It is fetched only for authors with local followers. */
export async function quotedBy(
  context: ActivityContext,
  { quote }: ForeignPost,
  { accountId, isFollowed }: { accountId: Id; isFollowed: boolean },
): Promise<PostOfUri | undefined> {
  if (quote === null) return undefined;
  const known = await seenPost(context, quote.uri, accountId);
  if (known || !isFollowed || ownIdIn(quote.uri, context.instance) !== null) return known;
  return fetchedPost(context, quote.uri, accountId, 0).catch(ignoreRemoteError);
}

/** Verifies the quote of a post. */
export async function verifyQuoteOf(
  context: ActivityContext,
  { id, accountId }: RemoteOwn,
  { uri, quote }: ForeignPost,
  quoted: PostOfUri | undefined,
): Promise<void> {
  if (quote && quoted) await verifyQuote(context, { id, uri, account_id: accountId }, quote, quoted.id);
}

/**
 * Returns the accounts that a post mentions. A followers-only or direct post also mentions all local users it
 * is addressed to.
 */
export function mentionsIn(
  { ctx, activity }: ActivityContext,
  { mentions, visibility, authorUri }: ForeignPost,
  here: readonly { uri: string }[],
): Promise<Mentioned> {
  const isForFew = visibility === 'private' || visibility === 'direct';
  return mentionedAccounts(
    ctx,
    isForFew ? [...new Set([...mentions, ...here.map(({ uri }) => uri)])] : mentions,
    // Requests that an author causes at their own server trouble no third one.
    activity.actor === authorUri ? { sender: new URL(authorUri).host } : {},
  );
}
