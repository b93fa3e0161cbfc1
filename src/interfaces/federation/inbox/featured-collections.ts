import { hash } from 'node:crypto';
import { featureHere, fetchCollectionLater, forgetCollection } from '#commands/federation/index.ts';
import { collectionStream } from '#events/collections.ts';
import type { Id } from '#kernel/ids.ts';
import {
  collectionOfUri,
  isFollowedHere,
  mayFeature,
  namedAccounts,
  recipientsOf,
} from '#queries/federation/index.ts';
import { featureAnswer, featureAuthorizationUri } from '../documents/featured-collections.ts';
import {
  featuredCollectionOf,
  type ForeignCollection,
  keepCollection,
} from '../remote/featured-collection.ts';
import { idOf, isObject, typesOf } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';
import {
  type ActivityContext,
  type Handler,
  localAccountIn,
  senderOf,
  trustedDocument,
} from './activity-context.ts';

/**
 * Answers a request to feature a local account in a collection by the account's policy. An account that
 * removed itself is not added again. https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md
 */
export const featureRequest: Handler = async (context) => {
  const { ctx, activity } = context;
  const accountId = await localAccountIn(context, activity.object);
  const uri = idOf(activity.document['instrument']);
  // The sender is stored only if the requested account exists.
  if (accountId === undefined || uri === undefined || activity.id === null) return;
  const known = context.known && (await collectionOfUri(ctx.db, uri, context.known.id));
  const sent = known ? undefined : featuredCollectionOf(await trustedDocument(context, uri), ctx.now);
  if (sent) assertOwn(context, sent);
  const ownerId = await senderOf(context);
  const isAllowed = await mayFeature(ctx.db, ownerId, accountId);
  const id = isAllowed ? (known ?? (sent && (await keepCollection(ctx, ownerId, sent)))) : undefined;
  const itemId = id === undefined ? undefined : await featureHere(ctx, { id, ownerId }, accountId);
  // The collection may already have other accounts.
  if (id !== undefined && sent) await fetchCollectionLater(ctx, { uri, ownerId });
  await answer(context, { accountId, ownerId, id, itemId, request: activity.id });
};

/** @throws RemoteError if the collection belongs to another account */
export function assertOwn({ activity }: ActivityContext, { ownerUri }: ForeignCollection): void {
  if (ownerUri !== activity.actor) throw new RemoteError('sent a collection of another account');
}

/**
 * Handles `Add` and `Remove` of a collection or of an item in one. The embedded documents are ignored,
 * because nothing tells which of two is newer: the collection is fetched. Returns whether the activity is
 * about a collection.
 */
export async function collectionActivity(
  context: ActivityContext,
  change: 'Add' | 'Remove',
): Promise<boolean> {
  const { ctx, known, activity } = context;
  const types = isObject(activity.object) ? typesOf(activity.object) : [];
  const object = idOf(activity.object);
  const target = idOf(activity.document['target']);
  if (!known) return types.some((type) => type === 'FeaturedCollection' || type === 'FeaturedItem');
  const own = (uri: string | undefined) =>
    uri === undefined ? undefined : collectionOfUri(ctx.db, uri, known.id);
  const [ofObject, ofTarget] = await Promise.all([own(object), own(target)]);
  if (change === 'Remove' && ofObject !== undefined) {
    await forgetCollection(ctx, { id: ofObject, ownerId: known.id });
    return true;
  }
  if (ofTarget !== undefined) await collectionChanged(context, target);
  else if (change === 'Add' && types.includes('FeaturedCollection')) await collectionChanged(context, object);
  else return types.includes('FeaturedItem');
  return true;
}

/** Queues a fetch of a collection of the sender if it is known or a local user follows the sender. */
export async function collectionChanged(
  { ctx, known, activity, documents }: ActivityContext,
  uri: string | undefined,
): Promise<void> {
  if (!known || uri === undefined) return;
  if (documents.assertForeign(uri).origin !== new URL(activity.actor).origin) return;
  const isWanted =
    (await collectionOfUri(ctx.db, uri, known.id)) !== undefined || (await isFollowedHere(ctx.db, known.id));
  if (isWanted) await fetchCollectionLater(ctx, { uri, ownerId: known.id });
}

interface Answered {
  /** The local account to feature, and the account that asked. */
  accountId: Id;
  ownerId: Id;
  /** The collection and the item in it; undefined if the policy refuses. */
  id: Id | undefined;
  itemId: Id | undefined;
  /** The id of the request. */
  request: string;
}

/** Sends the answer. The same answer to the same request is queued once. */
async function answer(
  { ctx, instance, activity }: ActivityContext,
  { accountId, ownerId, id, itemId, request }: Answered,
): Promise<void> {
  const actor = (await namedAccounts(ctx.db, [accountId])).get(accountId)?.uri;
  if (actor === undefined) return;
  const audience = { accounts: [ownerId], personally: true, author: accountId };
  const { inboxes } = await recipientsOf(ctx, audience);
  const authorization =
    itemId === undefined ? undefined : featureAuthorizationUri(accountId, itemId, instance);
  const name = itemId ?? hash('sha256', request).slice(0, 32);
  const document = featureAnswer(name, { actor, to: activity.actor, request }, authorization);
  await ctx.services.deliveries.queue(
    {
      key: `feature-answer/${hash('sha256', request)}/${itemId ?? ''}`,
      sender: accountId,
      statusId: null,
      document,
      // The same subject keeps a later deletion of the authorization behind this answer.
      subject: id === undefined ? `feature-answer-${name}` : collectionStream(id),
    },
    inboxes,
  );
}
