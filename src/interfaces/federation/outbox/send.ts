import type { CommandContext } from '#kernel/context.ts';
import { type Audience, recipientsOf } from '#queries/federation/index.ts';
import { placesOf } from '../documents/actor.ts';
import { PUBLIC } from '../documents/contexts.ts';
import type { Activity, Outgoing } from './outgoing.ts';
import { sendToRelays } from './relays.ts';

/** Queues an activity for its audience. A repeat with the same key queues nothing. */
export async function send(
  ctx: CommandContext,
  outgoing: Outgoing,
  named: { key: string; subject: string },
): Promise<void> {
  if (outgoing.cancels !== undefined) await ctx.services.deliveries.cancel(outgoing.cancels);
  await sendToAudience(ctx, outgoing, named);
  if (outgoing.relayed === true) await sendToRelays(ctx, outgoing, named);
}

async function sendToAudience(
  ctx: CommandContext,
  { audience, after, compose, inboxes: further = [], sender, statusId, retiredKey }: Outgoing,
  named: { key: string; subject: string },
): Promise<void> {
  const { deliveries } = ctx.services;
  // "Everybody" means many inboxes: the activity is composed first, so that they are not looked up for
  // nothing.
  const made = audience.everybody === true ? await compose(ctx) : undefined;
  if (audience.everybody === true && !made) return;
  const inboxes = [...(await inboxesOf(ctx, audience)), ...further];
  if (inboxes.length === 0) return;
  const composed = made ?? (await compose(ctx));
  if (!composed) return;
  // The former key of an account signs no proof: the proof names the key that this activity replaces.
  const mayProve = sender !== null && retiredKey === undefined && isForEverybody(composed);
  const document = mayProve ? await ctx.services.actorKeys.proven(sender, composed) : composed;
  const { farewell = false } = audience;
  const waiting = after === undefined ? {} : { after };
  const post = { statusId: statusId ?? null, followersOnly: isForFollowers(document) };
  await deliveries.queue(
    { ...named, ...post, ...waiting, sender, farewell, retiredKey: retiredKey ?? null, document },
    inboxes,
  );
}

const isForEverybody = ({ to, cc }: Activity): boolean => [to, cc].flat().includes(PUBLIC);

const isForFollowers = (activity: Activity): boolean =>
  [activity.to, activity.cc].flat().includes(placesOf(activity.actor).followers) && !isForEverybody(activity);

/**
 * Accounts that are fetched at a time. Few accounts are older than stored inboxes, and each is fetched once.
 */
const MAX_ASKED = 20;

/** Returns the inboxes. Accounts with an unknown inbox are fetched; those that do not respond are skipped. */
async function inboxesOf(ctx: CommandContext, audience: Audience): Promise<readonly string[]> {
  const { inboxes, unknown } = await recipientsOf(ctx, audience);
  if (unknown.length === 0) return inboxes;
  await Promise.all(unknown.slice(0, MAX_ASKED).map((uri) => ctx.services.resolver.resolve(uri)));
  return (await recipientsOf(ctx, audience)).inboxes;
}
