import {
  changeRemoteInteractionPolicy,
  changeRemoteQuotePolicy,
  deleteRemoteStatus,
  editRemoteStatus,
  recordRemotePollResult,
  removeRemoteAccount,
} from '#commands/federation/index.ts';
import type { Id } from '#kernel/ids.ts';
import {
  followersUriOf,
  isFollowedHere,
  knownPostSeenBy,
  localAccounts,
  postOfUri,
  remotePostOf,
} from '#queries/federation/index.ts';
import { isActor } from '../remote/actor.ts';
import { ballotOf } from '../remote/ballots.ts';
import { contentOf } from '../remote/content.ts';
import { isFeaturedCollection } from '../remote/featured-collection.ts';
import { idOf, isObject } from '../remote/json.ts';
import { type ForeignPost, isPost, postOf, quotePolicyOf } from '../remote/post.ts';
import { RemoteError } from '../remote/remote-error.ts';
import {
  type ActivityContext,
  addTombstone,
  type Handler,
  senderOf,
  trustedObject,
} from './activity-context.ts';
import { updateActor } from './actors.ts';
import { collectionChanged } from './featured-collections.ts';
import { acceptFromFollower } from './interaction-answers.ts';
import { mayConcern, undoReblogNamed } from './interactions.ts';
import { isTombstoned, keepPost, mentionsIn, quotedBy, verifyQuoteOf } from './kept-posts.ts';
import { applyVote } from './polls.ts';
import { revokeFeatureAuthorization, revokeQuoteAuthorization } from './quote-authorizations.ts';
import { revokeApproval } from './revocations.ts';

/**
 * Handles a new post from its author. We accept a post only if a local user follows its author, is mentioned
 * in it, or it replies to a local post. https://www.w3.org/TR/activitypub/#create-activity-inbox
 */
export const create: Handler = async (context) => {
  const remote = await trustedObject(context);
  const ballot = await ballotOf(context, remote.document);
  if (ballot) await applyVote(context, remote, ballot);
  else if (isPost(remote))
    await ingestPost(context, assertAuthoredBySender(context, postOf(remote, context.ctx.now, context)));
};

/** Milliseconds: an unknown post older than this is ignored rather than taken for overtaken. */
export const OVERTAKEN_WITHIN = 24 * 3_600_000;

/**
 * Handles the update of a post, or of the actor itself. An update that overtakes the `Create` of its post
 * brings the post, and the older text changes nothing when it arrives.
 * https://www.w3.org/TR/activitypub/#update-activity-inbox
 */
export const update: Handler = async (context) => {
  const { ctx, known } = context;
  const remote = await trustedObject(context);
  if (isActor(remote)) {
    if (known) await updateActor(context, known, remote);
    return;
  }
  if (isFeaturedCollection(remote)) return collectionChanged(context, remote.id);
  if (!isPost(remote) || (await ballotOf(context, remote.document))) return;
  const post = assertAuthoredBySender(context, postOf(remote, ctx.now, context));
  const isNew = Date.parse(post.createdAt) > Date.parse(ctx.now) - OVERTAKEN_WITHIN;
  if (known && (await remotePostOf(ctx.db, post.uri, known.id))) await edit(context, known.id, post);
  // A reply that is approved late was rejected when it first arrived.
  else if (isNew || post.replyAuthorization !== null) await ingestPost(context, post);
};

/**
 * Deletes a post, a reblog or an authorization of the actor, or the actor itself.
 * https://www.w3.org/TR/activitypub/#delete-activity-inbox
 */
export const remove: Handler = async (context) => {
  const { ctx, known, activity } = context;
  const uri = idOf(activity.object);
  if (uri === undefined) return;
  if (uri === activity.actor) {
    if (known) await removeRemoteAccount(ctx, known.id);
    return;
  }
  const post = known && (await remotePostOf(ctx.db, uri, known.id));
  if (!known || !post) {
    // The tombstone is added first, because a post that needs the authorization is stored and then checked
    // against the tombstones.
    await addTombstone(context, uri);
    if (known) {
      await revokeQuoteAuthorization(context, known.id, uri);
      await revokeFeatureAuthorization(context, known.id, uri);
    }
    await revokeApproval(context, { by: 'authorization', name: uri });
    return;
  }
  if (await undoReblogNamed(context, known.id, uri)) return;
  await deleteRemoteStatus(ctx, { id: post.id, accountId: known.id });
};

/**
 * Handles a post that another server forwarded: its content is not trusted, but it may be fetched from its
 * origin. So are replies in known threads, and changes of known posts.
 */
export const handleForwarded: Handler = async (context) => {
  const { ctx, instance, activity, documents, fetcher, signal } = context;
  const { object, actor, type } = activity;
  const uri = idOf(object);
  if (uri === undefined || documents.assertForeign(uri).origin !== new URL(actor).origin) return;
  const post = await postOfUri(ctx.db, instance, uri);
  if (type === 'Update' && post) {
    const now = postOf(await documents.get(uri, signal), ctx.now);
    if (now.uri === uri && context.known && now.authorUri === actor)
      await edit(context, context.known.id, now);
  }
  const answered = type === 'Create' && !post && isObject(object) ? idOf(object['inReplyTo']) : undefined;
  if (answered !== undefined && (await postOfUri(ctx.db, instance, answered))) await fetcher.find(uri);
};

/** @throws RemoteError for a post by another actor */
export function assertAuthoredBySender({ activity }: ActivityContext, post: ForeignPost): ForeignPost {
  if (post.authorUri !== activity.actor) throw new RemoteError('sent a post of somebody else');
  return post;
}

async function ingestPost(context: ActivityContext, post: ForeignPost): Promise<void> {
  const { ctx, instance, known } = context;
  const here = await localAccounts(ctx.db, [...new Set([...post.mentions, ...post.addressed])]);
  const isFollowed = known !== undefined && (await isFollowedHere(ctx.db, known.id));
  const answered = post.inReplyTo === null ? undefined : await postOfUri(ctx.db, instance, post.inReplyTo);
  const answersOurs = answered?.local === true && mayConcern(context, answered);
  const isToSomebody = post.visibility !== 'direct' && (isFollowed || answersOurs);
  if ((here.length === 0 && !isToSomebody) || (await isTombstoned(context, post))) return;
  const accountId = await senderOf(context);
  const parent = answered && (await knownPostSeenBy(ctx.db, answered.id, accountId));
  // The author may not see the post that this one replies to.
  if (here.length === 0 && !isFollowed && !parent) return;
  const id = await keepPost(context, post, { accountId, here, parent, isFollowed });
  if (id === undefined || !parent) return;
  const interacting = { uri: post.uri, type: 'Note' };
  await acceptFromFollower(context, 'reply', { accountId, post: parent, interacting, id });
}

/**
 * Applies the changes of a post. Each vote causes an `Update` of its poll, so only an `Update` that says so
 * is an edit.
 */
async function edit(context: ActivityContext, accountId: Id, post: ForeignPost): Promise<void> {
  const { ctx } = context;
  const own = await remotePostOf(ctx.db, post.uri, accountId);
  if (!own || own.reblog_of_id !== null) return;
  if (post.editedAt !== null || post.poll === null) {
    const here = await localAccounts(ctx.db, post.addressed);
    const content = contentOf(post, await mentionsIn(context, post, here), ctx.newId);
    await editRemoteStatus(ctx, { id: own.id, accountId, content, editedAt: post.editedAt ?? ctx.now });
  }
  const mine = { id: own.id, accountId };
  if (post.poll?.tally) await recordRemotePollResult(ctx, { ...mine, tally: post.poll.tally });
  await changeRemoteQuotePolicy(ctx, {
    ...mine,
    policy: quotePolicyOf(post, await followersUriOf(ctx.db, accountId)),
  });
  await changeRemoteInteractionPolicy(ctx, { ...mine, policy: post.interactionPolicy });
  const isFollowed = post.quote !== null && (await isFollowedHere(ctx.db, accountId));
  await verifyQuoteOf(context, mine, post, await quotedBy(context, post, { accountId, isFollowed }));
}
