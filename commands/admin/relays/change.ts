import { hash } from 'node:crypto';
import { countQuota, type Quota } from '#commands/quotas/index.ts';
import { useCase } from '#commands/use-case.ts';
import { relayStream } from '#events/relays.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Db } from '#kernel/read.ts';
import { countRelays, relayOf } from '#queries/admin/relays.ts';
import { relayAddress } from './address.ts';
import {
  decideAdd,
  decideAnswer,
  decideDisable,
  decideEnable,
  decideRemove,
  type Relay,
  relay,
} from './relay.ts';

/** Each public post goes to every relay. */
export const MAX_RELAYS = 50;
/** Relays have no owner, so they count for the server itself. */
const SERVER = '0';

interface NewRelay {
  id: Id;
  inboxUrl: string;
  /** Null for a relay that accepts a follow of the public collection. */
  actorUrl: string | null;
}

/**
 * Adds a relay and subscribes to it. The read models contain it when this resolves.
 * @throws RookeryError `invalid` for an invalid or taken address, and for too many relays
 */
export const addRelay = useCase({
  prepare: ({ newId, instance }, { id, inboxUrl, actorUrl }: NewRelay) => ({
    added: {
      id,
      inbox_url: relayAddress(inboxUrl, 'inbox_url', instance),
      actor_url: actorUrl === null ? null : relayAddress(actorUrl, 'actor_url', instance),
    },
    followId: newId(),
  }),
  stream: ({ added }) => streamOf(added.inbox_url),
  decider: relay,
  decide: (state, { added, followId }) => decideAdd(state, added, followId),
  quota: ({ db }) => relayQuota(db),
});

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
export const enableRelay = useCase({
  prepare: async (ctx, id: Id) => ({ ...(await relayOf(ctx.db, id)), followId: ctx.newId() }),
  stream: ({ inbox_url }) => streamOf(inbox_url),
  decider: relay,
  decide: (state, { id, followId }) => decideEnable(state, id, followId),
});

/** @throws RookeryError `not_found` */
export const disableRelay = useCase({
  prepare: ({ db }, id: Id) => relayOf(db, id),
  stream: ({ inbox_url }) => streamOf(inbox_url),
  decider: relay,
  decide: (state, { id }) => decideDisable(state, id),
});

/** @throws RookeryError `not_found` */
export const removeRelay = useCase({
  prepare: ({ db }, id: Id) => relayOf(db, id),
  stream: ({ inbox_url }) => streamOf(inbox_url),
  decider: relay,
  decide: (state, { id }) => decideRemove(state, id),
});

interface RelayAnswer {
  inboxUrl: string;
  answer: Parameters<typeof decideAnswer>[1];
}

/** Records a relay's answer to the request `followId`. */
export const recordRelayAnswer = useCase({
  stream: ({ inboxUrl }: RelayAnswer) => streamOf(inboxUrl),
  decider: relay,
  decide: (state, { answer }) => decideAnswer(state, answer),
});

function streamOf(inboxUrl: string): string {
  return relayStream(hash('sha256', inboxUrl));
}
