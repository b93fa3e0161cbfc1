import { hash } from 'node:crypto';
import { countRelays, relayOf } from '../../../queries/admin/relays.ts';
import { relayStream } from '../../../src/events/relays.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { invalid } from '../../../src/kernel/errors.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import type { Db } from '../../../src/kernel/read.ts';
import { countQuota, executeWithinQuota, type Quota } from '../../quotas/index.ts';
import { relayAddress } from './address.ts';
import {
  decideAdd,
  decideAnswer,
  decideDisable,
  decideEnable,
  decideRemove,
  relay,
  type Relay,
} from './relay.ts';

/** Each public post goes to every relay. */
export const MAX_RELAYS = 50;
/** Relays have no owner, so they count for the server itself. */
const SERVER = '0';

interface Addresses {
  inboxUrl: string;
  /** Null for a relay that accepts a follow of the public collection. */
  actorUrl: string | null;
}

/**
 * Adds a relay and subscribes to it. The read models contain it when this resolves.
 * @returns its id. @throws RookeryError `invalid` for an invalid or taken address, and for too many relays
 */
export async function addRelay(ctx: CommandContext, { inboxUrl, actorUrl }: Addresses): Promise<Id> {
  const [id, followId] = [ctx.newId(), ctx.newId()];
  const added = {
    id,
    inbox_url: relayAddress(inboxUrl, 'inbox_url', ctx.instance),
    actor_url: actorUrl === null ? null : relayAddress(actorUrl, 'actor_url', ctx.instance),
  };
  const { state } = await executeWithinQuota(ctx, {
    stream: streamOf(added.inbox_url),
    decider: relay,
    decide: (before) => decideAdd(before, added, followId),
    quota: relayQuota(ctx.db),
  });
  return state?.id ?? id;
}

const relayQuota = (db: Db): Quota<Relay, number> =>
  countQuota({
    name: 'relays',
    ownerId: SERVER,
    added: (before, after) => (before === null ? after?.id : undefined),
    besides: (ids) => countRelays(db, ids),
    check: (relays) => {
      if (relays > MAX_RELAYS) throw invalid('Validation failed: There are too many relays');
    },
  });

/** @throws RookeryError `not_found` */
export const enableRelay = (ctx: CommandContext, id: Id): Promise<void> => {
  const followId = ctx.newId();
  return change(ctx, id, (state) => decideEnable(state, id, followId));
};

/** @throws RookeryError `not_found` */
export const disableRelay = (ctx: CommandContext, id: Id): Promise<void> =>
  change(ctx, id, (state) => decideDisable(state, id));

/** @throws RookeryError `not_found` */
export const removeRelay = (ctx: CommandContext, id: Id): Promise<void> =>
  change(ctx, id, (state) => decideRemove(state, id));

/** Records a relay's answer to the request `followId`. */
export async function answerOfRelay(
  ctx: CommandContext,
  inboxUrl: string,
  answer: Parameters<typeof decideAnswer>[1],
): Promise<void> {
  await ctx.execute(streamOf(inboxUrl), relay, (state) => decideAnswer(state, answer));
}

async function change(
  ctx: CommandContext,
  id: Id,
  decide: (state: Relay) => ReturnType<typeof decideRemove>,
): Promise<void> {
  const { inbox_url } = await relayOf(ctx.db, id);
  await ctx.execute(streamOf(inbox_url), relay, decide);
}

const streamOf = (inboxUrl: string): string => relayStream(hash('sha256', inboxUrl));
