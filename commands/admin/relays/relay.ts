import type { RelayEvent } from '#events/relays.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `relay-<digest>`: the relay with this inbox; null without one. */
export type Relay = AddedRelay | null;

interface NamedRelay {
  id: Id;
  inbox_url: string;
  actor_url: string | null;
}

interface AddedRelay extends NamedRelay {
  state: 'idle' | 'pending' | 'accepted' | 'rejected';
  /** The last request; null without one. */
  follow_id: Id | null;
}

export const relay: Decider<Relay, RelayEvent> = {
  initialState: null,
  evolve(state, { type, data }) {
    if (type === 'RelayAdded') return { ...data, state: 'idle', follow_id: null };
    if (state === null) return null;
    switch (type) {
      case 'RelayEnabled':
        return { ...state, state: 'pending', follow_id: data.follow_id };
      case 'RelayAccepted':
        return { ...state, state: 'accepted' };
      case 'RelayRejected':
        return { ...state, state: 'rejected' };
      case 'RelayDisabled':
        return { ...state, state: 'idle', follow_id: null };
      case 'RelayRemoved':
        return null;
    }
  },
};

/**
 * Adds a relay and subscribes immediately, as Mastodon does. Pure. @throws RookeryError `invalid` when it
 * exists already
 */
export function decideAdd(state: Relay, added: NamedRelay, followId: Id): RelayEvent[] {
  if (state !== null) {
    throw invalid('Validation failed: Inbox url has already been taken', {
      inbox_url: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    });
  }
  return [
    { type: 'RelayAdded', data: added },
    { type: 'RelayEnabled', data: { ...added, follow_id: followId } },
  ];
}

/**
 * Subscribes, or repeats the request, since it may be lost. Decides nothing when the relay has agreed. Pure.
 * @throws RookeryError `not_found`
 */
export function decideEnable(state: Relay, id: Id, followId: Id): RelayEvent[] {
  const found = existing(state, id);
  if (found.state === 'accepted') return [];
  return [{ type: 'RelayEnabled', data: { ...nameOf(found), follow_id: followId } }];
}

/** Decides nothing without a subscription. Pure. @throws RookeryError `not_found` */
export function decideDisable(state: Relay, id: Id): RelayEvent[] {
  const found = existing(state, id);
  if (found.follow_id === null) return [];
  return [{ type: 'RelayDisabled', data: { ...nameOf(found), follow_id: found.follow_id } }];
}

/** Pure. @throws RookeryError `not_found` */
export const decideRemove = (state: Relay, id: Id): RelayEvent[] => [
  ...decideDisable(state, id),
  { type: 'RelayRemoved', data: { id, inbox_url: existing(state, id).inbox_url } },
];

/** Takes the answer of the relay's `actor`. Ignores one to a withdrawn or replaced request. Pure. */
export function decideAnswer(
  state: Relay,
  { followId, answer, actor }: { followId: Id; answer: 'accept' | 'reject'; actor: string },
): RelayEvent[] {
  if (state?.follow_id !== followId) return [];
  const { id } = state;
  if (answer === 'reject') return state.state === 'rejected' ? [] : [{ type: 'RelayRejected', data: { id } }];
  return state.state === 'accepted' ? [] : [{ type: 'RelayAccepted', data: { id, actor } }];
}

/** Another relay may have the same inbox by now. */
function existing(state: Relay, id: Id): AddedRelay {
  if (state?.id !== id) throw notFound();
  return state;
}

const nameOf = ({ id, inbox_url, actor_url }: AddedRelay): NamedRelay => ({ id, inbox_url, actor_url });
