import { hash } from 'node:crypto';
import { recordRelayAnswer } from '#commands/admin/relays/index.ts';
import { deleteRemoteStatus } from '#commands/federation/index.ts';
import { siteOf } from '#commands/text/registrable-domain.ts';
import {
  askedRelays,
  knownActor,
  type KnownRelay,
  ownIdIn,
  postOfUri,
  relayOfActor,
  remotePostOf,
} from '#queries/federation/index.ts';
import { plainActivity } from '../outbox/outgoing.ts';
import { serverActor, subscriptionUri } from '../outbox/relays.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, isObject, typesOf } from '../remote/json.ts';
import { isPost, postOf } from '../remote/post.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type ActivityContext, type Handler, trustedObject } from './activity-context.ts';
import { admitsNewSender } from './new-senders.ts';
import { assertAuthoredBySender, handleForwarded, OVERTAKEN_WITHIN, remove, update } from './posts.ts';

/** Returns the relays on the host of the sender: the actor and the inbox of a relay share a host. */
const relaysOfSender = ({ ctx, activity }: ActivityContext): Promise<KnownRelay[]> =>
  askedRelays(ctx.db, new URL(activity.actor).host);

/**
 * Handles `Accept` and `Reject` of a relay subscription. Some relays name the subscription, others only a
 * follow by this server. Returns whether the activity is such an answer.
 */
export async function answeredRelay(context: ActivityContext, answer: 'accept' | 'reject'): Promise<boolean> {
  const { ctx, instance, activity } = context;
  const { object, actor } = activity;
  const uri = idOf(object) ?? '';
  const isNamed = uri.startsWith(subscriptionUri(instance, ''));
  const isFollowOfServer =
    isObject(object) && typesOf(object).includes('Follow') && idOf(object['actor']) === serverActor(instance);
  if (!isNamed && !isFollowOfServer) return false;
  const relays = await relaysOfSender(context);
  const relay = isNamed
    ? relays.find(({ follow_id }) => uri === subscriptionUri(instance, follow_id ?? ''))
    : onlyOne(relays);
  if (relay?.follow_id == null) return true;
  const given = { followId: relay.follow_id, answer, actor };
  await recordRelayAnswer(ctx, { inboxUrl: relay.inbox_url, answer: given });
  return true;
}

const onlyOne = ([first, ...others]: KnownRelay[]): KnownRelay | undefined =>
  others.length === 0 ? first : undefined;

/**
 * Handles a follow of this server, which a LitePub relay sends to receive posts. It is accepted if this
 * server subscribed to the relay. Returns whether the activity is such a follow.
 */
export async function followedByRelay(context: ActivityContext): Promise<boolean> {
  const { ctx, instance, activity } = context;
  const server = serverActor(instance);
  if (idOf(activity.object) !== server) return false;
  const relay = (await relaysOfSender(context)).find((one) => one.actor_url === activity.actor);
  if (!relay) return true;
  const follow = { id: activity.id ?? undefined, type: 'Follow', actor: activity.actor, object: server };
  const name = hash('sha256', JSON.stringify([follow, relay.id]));
  const id = `${server}#accepts/follows/${name}`;
  const document = plainActivity({ id, type: 'Accept', actor: server, to: [activity.actor], object: follow });
  await ctx.services.deliveries.queue(
    { key: `relay-accept/${name}`, subject: `relay-${relay.id}`, sender: null, statusId: null, document },
    [relay.inbox_url],
  );
  return true;
}

/**
 * Handles an `Announce` of a relay: it distributes a post and is no reblog. Returns whether the activity is
 * such an `Announce`.
 */
export async function announcedByRelay(context: ActivityContext): Promise<boolean> {
  const { ctx, activity } = context;
  if (!(await relayOfActor(ctx.db, activity.actor))) return false;
  await ingestRelayed(context, idOf(activity.object));
  return true;
}

/** Handles an activity that a relay forwarded. It is not trusted: its object is fetched from its origin. */
export const handleRelayed: Handler = async (context) => {
  const { ctx, instance, activity, documents } = context;
  const { actor, object, type } = activity;
  const uri = idOf(object);
  if (uri === undefined || uri === actor) return;
  if (type === 'Announce') return ingestRelayed(context, uri);
  if (documents.assertForeign(uri).origin !== new URL(actor).origin) return;
  if (type === 'Delete') return deleteIfMissing(context, uri);
  if (type === 'Update' && (await postOfUri(ctx.db, instance, uri))) return handleForwarded(context);
  return ingestRelayed(context, uri);
};

/** Handles an activity that a relay forwarded and its actor has proven: nothing of it needs to be fetched. */
export const handleProvenRelayed: Handler = async (context) => {
  const { ctx, instance, activity } = context;
  const { actor, object, type } = activity;
  const uri = idOf(object);
  if (type === 'Delete') return remove(context);
  const isKnown = uri !== undefined && (uri === actor || (await postOfUri(ctx.db, instance, uri)));
  if (type === 'Update' && isKnown) return update(context);
  return ingestRelayed(context, uri, async () => {
    const remote = await trustedObject(context);
    if (isPost(remote)) assertAuthoredBySender(context, postOf(remote, ctx.now));
    return remote;
  });
};

/** Deletes a known post if its server confirms that it is gone. */
async function deleteIfMissing(
  { ctx, known, documents, signal }: ActivityContext,
  uri: string,
): Promise<void> {
  const post = known && (await remotePostOf(ctx.db, uri, known.id));
  if (!known || !post || !(await documents.isMissing(uri, signal))) return;
  await deleteRemoteStatus(ctx, { id: post.id, accountId: known.id });
}

/**
 * Stores a public post, by default as its origin serves it, with its author if the limit of new accounts per site
 * allows it.
 * @throws RemoteError, FetchError
 */
async function ingestRelayed(
  context: ActivityContext,
  uri: string | undefined,
  read?: () => Promise<RemoteDocument>,
): Promise<void> {
  const { ctx, instance, documents, fetcher, signal, tombstones } = context;
  if (uri === undefined || ownIdIn(uri, instance) !== null) return;
  if (await postOfUri(ctx.db, instance, uri)) return;
  const remote = await (read?.() ?? documents.get(uri, signal));
  if (!isPost(remote)) return;
  const { authorUri, createdAt, visibility } = postOf(remote, ctx.now);
  if (visibility !== 'public' && visibility !== 'unlisted')
    throw new RemoteError('is relayed, and not for everybody');
  const isOld = Date.parse(createdAt) < Date.parse(ctx.now) - OVERTAKEN_WITHIN;
  if (context.activity.type === 'Update' && isOld) return;
  if (await tombstones.has(authorUri, remote.id)) return;
  const known = await knownActor(ctx.db, authorUri);
  if (!known && !(await admitsNewSender(ctx.db, siteOf(new URL(authorUri).host), ctx.now))) {
    throw new RemoteError('sent for too many new actors today');
  }
  await fetcher.store(remote);
}
