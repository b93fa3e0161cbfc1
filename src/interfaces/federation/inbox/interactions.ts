import {
  applyRemoteFavourite,
  applyRemoteReblog,
  revokeInteraction,
  undoRemoteFavourite,
  undoRemoteReblog,
} from '#commands/federation/index.ts';
import { changedAnything } from '#commands/use-case.ts';
import type { Id } from '#kernel/ids.ts';
import {
  isFollowedHere,
  namedPosts,
  ownIdIn,
  type PostOfUri,
  postOfUri,
  remotePostOf,
} from '#queries/federation/index.ts';
import { isRevoked, requireAuthorization } from '../remote/authorizations.ts';
import { type Foreign, idOf, pastMoment, textOf } from '../remote/json.ts';
import { audienceOf, authorizationOf } from '../remote/post.ts';
import { type ActivityContext, fetchedPost, type Handler, seenPost, senderOf } from './activity-context.ts';
import { acceptFromFollower } from './interaction-answers.ts';

/**
 * Handles likes of local posts that the sender may see.
 * https://www.w3.org/TR/activitypub/#like-activity-inbox
 */
export const like: Handler = async (context) => {
  const uri = idOf(context.activity.object);
  // The sender is stored only if the post exists.
  if (uri === undefined || !(await ownPost(context, uri))) return;
  const accountId = await senderOf(context);
  const post = await seenPost(context, uri, accountId);
  if (!post) return;
  const { id: name } = context.activity;
  await applyRemoteFavourite(context.ctx, { ...targetOf(post, accountId), uri: name });
  if (name === null) return;
  const interacting = { uri: name, type: 'Like' };
  await acceptFromFollower(context, 'like', { accountId, post, interacting, id: `${post.id}/${accountId}` });
};

/** Reactions with these emojis count as favourites, with or without the variation selector. */
const FAVOURITE = /^[\u2B50\u2764]\uFE0F?$/u;

/**
 * Treats a reaction with one of these emojis as a favourite and ignores others.
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/c0e0
 */
export const react: Handler = async (context) => {
  if (FAVOURITE.test(textOf(context.activity.document['content'], 10))) await like(context);
};

/** Returns whether there was one to undo. */
export async function undoLike(context: ActivityContext, senderId: Id, undone: Foreign): Promise<boolean> {
  const uri = idOf(undone['object']);
  const post = uri === undefined ? undefined : await ownPost(context, uri);
  return post !== undefined && changedAnything(undoRemoteFavourite(context.ctx, targetOf(post, senderId)));
}

/**
 * Handles reblogs of local posts, and of remote posts by accounts with local followers; unknown posts are
 * fetched. Private posts are reblogged only by their author.
 * https://www.w3.org/TR/activitypub/#announce-activity-inbox
 */
export const announce: Handler = async (context) => {
  const { ctx, known, activity, followers } = context;
  const { object, document, id: name } = activity;
  const uri = idOf(object);
  if (uri === undefined || name === null) return;
  const isOurs = ownIdIn(uri, context.instance) !== null;
  const isWanted = isOurs
    ? (await ownPost(context, uri)) !== undefined
    : known && (await isFollowedHere(ctx.db, known.id));
  if (isWanted !== true || audienceOf(document, { followers }) === 'direct') return;
  const accountId = await senderOf(context);
  const seen = await seenPost(context, uri, accountId);
  if (seen || isOurs) {
    if (seen) await keepAnnounce(context, { name, document, accountId, uri, post: seen });
    return;
  }
  const post = await fetchedPost(context, uri, accountId);
  // The address may be that of the activity which created the post, or of its page.
  const [named] = post ? await namedPosts(ctx.db, [post.id]) : [];
  if (post && named) await keepAnnounce(context, { name, document, accountId, uri: named.uri, post });
};

interface SentAnnounce {
  /** Its URI on the sender's server. */
  name: string;
  document: Foreign;
  accountId: Id;
  /** The URI of the post. */
  uri: string;
  post: PostOfUri;
}

/**
 * Stores a reblog unless it is direct. Returns its id, or undefined if it is not stored. @throws RookeryError
 * `forbidden` for a private post of another account; RemoteError if the author of a remote post did not
 * approve the reblog
 */
export async function keepAnnounce(
  context: ActivityContext,
  { name, document, accountId, uri, post }: SentAnnounce,
): Promise<Id | undefined> {
  const { ctx, followers } = context;
  const visibility = audienceOf(document, { followers });
  if (visibility === 'direct') return undefined;
  const announce = { kind: 'announce', uri: name, accountId } as const;
  const named = authorizationOf(document, 'announceAuthorization');
  const authorization = await requireAuthorization(
    context,
    { ...announce, authorization: named },
    { ...post, uri },
  );
  const target = targetOf(post, accountId);
  const id = await applyRemoteReblog(
    ctx,
    { ...target, status_visibility: post.visibility },
    {
      uri: name,
      createdAt: pastMoment(document['published'], ctx.now) ?? ctx.now,
      visibility,
      authorization: authorization?.uri ?? null,
    },
  );
  if (id === undefined || !(await isRevoked(context, authorization))) return id;
  await revokeInteraction(ctx, { ...target, id, kind: 'announce' });
  return undefined;
}

/** Returns whether there was one to undo. */
export async function undoAnnounce(
  context: ActivityContext,
  senderId: Id,
  undone: Foreign,
): Promise<boolean> {
  const { ctx, instance } = context;
  const uri = idOf(undone['object']);
  const post = uri === undefined ? undefined : await postOfUri(ctx.db, instance, uri);
  if (post) return changedAnything(undoRemoteReblog(ctx, targetOf(post, senderId)));
  return undoReblogNamed(context, senderId, idOf(undone));
}

/** Returns whether the sender had a reblog with this URI. */
export async function undoReblogNamed(
  { ctx }: ActivityContext,
  senderId: Id,
  uri: string | undefined,
): Promise<boolean> {
  const reblog = uri === undefined ? undefined : await remotePostOf(ctx.db, uri, senderId);
  if (reblog?.reblog_of_id == null || reblog.reblog_account_id === null) return false;
  await undoRemoteReblog(ctx, {
    account_id: senderId,
    status_id: reblog.reblog_of_id,
    status_account_id: reblog.reblog_account_id,
  });
  return true;
}

/** Returns a local post. An unknown sender can only have seen public ones. */
export async function ownPost(context: ActivityContext, uri: string): Promise<PostOfUri | undefined> {
  if (ownIdIn(uri, context.instance) === null) return undefined;
  const post = await postOfUri(context.ctx.db, context.instance, uri);
  return post?.local && mayConcern(context, post) ? post : undefined;
}

export const mayConcern = ({ known }: ActivityContext, { visibility }: PostOfUri): boolean =>
  known !== undefined || visibility === 'public' || visibility === 'unlisted';

export const targetOf = ({ id, account_id: author }: PostOfUri, accountId: Id) => ({
  account_id: accountId,
  status_id: id,
  status_account_id: author,
});
