import type { RelayEnabled } from '#events/relays.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { enabledRelays, type KnownRelay } from '#queries/federation/index.ts';
import { PUBLIC } from '../documents/contexts.ts';
import { type Activity, type Outgoing, plainActivity, undo } from './outgoing.ts';

/** The actor of the server itself subscribes. */
export const serverActor = ({ origin }: Pick<Instance, 'origin'>): string => `${origin}/actor`;

/** Returns the id of a subscription. */
export const subscriptionUri = (instance: Pick<Instance, 'origin'>, followId: string): string =>
  `${serverActor(instance)}#relays/${followId}`;

type Subscription = RecordedOf<typeof RelayEnabled>['data'];

/**
 * The server follows the public collection, as Mastodon does, or the relay's actor, as LitePub requires.
 * https://docs.joinmastodon.org/admin/federation/, https://litepub.social/#relays
 */
const followOf = (
  { actor_url, follow_id }: Pick<Subscription, 'actor_url' | 'follow_id'>,
  instance: Instance,
): Activity => ({
  id: subscriptionUri(instance, follow_id),
  type: 'Follow',
  actor: serverActor(instance),
  ...(actor_url === null ? {} : { to: [actor_url] }),
  object: actor_url ?? PUBLIC,
});

export const subscription = (data: Subscription): Outgoing[] => [
  {
    sender: null,
    audience: {},
    inboxes: [data.inbox_url],
    compose: ({ instance }) => Promise.resolve(plainActivity(followOf(data, instance))),
  },
];

/** Staff may have suspended the relay's server in the meantime. */
export const unsubscription = (data: Subscription): Outgoing[] => [
  {
    sender: null,
    audience: { farewell: true },
    inboxes: [data.inbox_url],
    compose: ({ instance }) => Promise.resolve(undo(plainActivity(followOf(data, instance)))),
  },
];

/**
 * Queues public activities for the relays, in each relay's form. These also contain the author's signature in
 * the document, which others do not get: such a signature is valid forever.
 */
export async function sendToRelays(
  ctx: CommandContext,
  { after, compose, sender }: Outgoing,
  { key, subject }: { key: string; subject: string },
): Promise<void> {
  const relays = sender === null ? [] : await enabledRelays(ctx.db);
  if (sender === null || relays.length === 0) return;
  const document = await compose(ctx);
  if (!document || ![document['to']].flat().includes(PUBLIC)) return;
  const { deliveries, actorKeys } = ctx.services;
  const waiting = after === undefined ? {} : { after };
  const about = { subject, statusId: null, ...waiting };
  const announced = announcement(document, ctx.instance);
  const [announcing, signing] = announced
    ? [relays.filter(isLitePub), relays.filter(isNotLitePub)]
    : [[], relays];
  if (announced) {
    await deliveries.queue(
      { ...about, key: `${key}/announce`, sender: null, document: announced },
      announcing.map(({ inbox_url }) => inbox_url),
    );
  }
  if (signing.length === 0) return;
  await deliveries.queue(
    { ...about, key: `${key}/relays`, sender, document: await actorKeys.signed(sender, document) },
    signing.map(({ inbox_url }) => inbox_url),
  );
}

const isLitePub = ({ actor_url }: KnownRelay): boolean => actor_url !== null;
const isNotLitePub = (relay: KnownRelay): boolean => !isLitePub(relay);

/** A relay of LitePub's form gets a new post as an `Announce` of the server. */
function announcement({ type, object }: Activity, instance: Instance): Activity | undefined {
  const uri =
    type === 'Create' && typeof object === 'object' && object !== null && 'id' in object
      ? object.id
      : undefined;
  if (typeof uri !== 'string') return undefined;
  const actor = serverActor(instance);
  return plainActivity({
    id: `${actor}#announces/${encodeURIComponent(uri)}`,
    type: 'Announce',
    actor,
    to: [PUBLIC],
    object: uri,
  });
}
