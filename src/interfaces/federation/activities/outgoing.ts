import { namedAccounts, type Audience, type NamedAccount } from '../../../../queries/federation/index.ts';
import type { CommandContext } from '../../../kernel/context.ts';
import { ACTIVITY_STREAMS, type Document } from '../documents/contexts.ts';

export type Activity = { readonly actor: string } & Document;

/** An activity that follows from an event's data; its content is looked up once it has a recipient. */
export interface Outgoing {
  audience: Audience;
  /** The account that acts; null for the server itself. */
  sender: string | null;
  /** The former key of the sender that signs it: receivers know no other yet. */
  retiredKey?: string;
  /** Seconds that it waits at least. */
  after?: number;
  /** The post or reblog that it spreads. */
  statusId?: string;
  /** A post or reblog that is gone: what of it has not been sent yet is not sent any more. */
  cancels?: string;
  /** Relays are told as well, where the activity is for everybody. */
  relayed?: boolean;
  /** Further inboxes that it goes to. */
  inboxes?: readonly string[];
  /** Undefined where there is nothing to tell: the sender is not of this server, or what it is about is gone. */
  compose: (ctx: CommandContext) => Promise<Activity | undefined>;
}

/** An activity without anything that needs another vocabulary. */
export const plainActivity = (activity: Activity): Activity => ({
  '@context': ACTIVITY_STREAMS,
  ...activity,
});

/** Takes an activity back. */
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
