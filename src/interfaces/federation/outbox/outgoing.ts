import type { CommandContext } from '#kernel/context.ts';
import { type Audience, type NamedAccount, namedAccounts } from '#queries/federation/index.ts';
import { ACTIVITY_STREAMS, type Document } from '../documents/contexts.ts';

export type Activity = { readonly actor: string } & Document;

/** An activity that follows from an event's data; its content is read when it has a recipient. */
export interface Outgoing {
  audience: Audience;
  /** The acting account; null for the server itself. */
  sender: string | null;
  /** The sender's former key, which signs it: recipients know no other yet. */
  retiredKey?: string;
  /** Seconds before it is sent. */
  after?: number;
  /** The post or reblog that it distributes. */
  statusId?: string;
  /** A deleted post or reblog, whose pending deliveries are cancelled. */
  cancels?: string;
  /** Also sent to relays, if it is public. */
  relayed?: boolean;
  /** Further inboxes. */
  inboxes?: readonly string[];
  /** Returns undefined when there is nothing to send: the sender is remote, or the object is deleted. */
  compose: (ctx: CommandContext) => Promise<Activity | undefined>;
}

/** Returns an activity that needs no further vocabulary. */
export const plainActivity = (activity: Activity): Activity => ({
  '@context': ACTIVITY_STREAMS,
  ...activity,
});

/** Returns the activity that undoes another one. */
export const undo = (object: Activity): Activity => {
  const { '@context': context = ACTIVITY_STREAMS, ...undone } = object;
  const { actor, to, cc } = undone;
  return {
    '@context': context,
    id: `${String(undone['id'])}/undo`,
    type: 'Undo',
    actor,
    ...(to === undefined ? {} : { to }),
    ...(cc === undefined ? {} : { cc }),
    object: undone,
  };
};

/** Returns the actor, if local, and the target. */
export async function actingPair(
  ctx: CommandContext,
  senderId: string,
  otherId: string,
): Promise<{ sender: NamedAccount; other: NamedAccount } | undefined> {
  const found = await namedAccounts(ctx.db, [senderId, otherId]);
  const sender = found.get(senderId);
  const other = found.get(otherId);
  return sender?.domain === null && other ? { sender, other } : undefined;
}
