import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, url } from './common.ts';

/** One relay; `digest` is the SHA-256 of its inbox's address, in hex. */
export const relayStream = (digest: string): string => `relay-${digest}`;

/** Names a relay. `actor_url` is null when the server follows the public collection, as Mastodon does. */
const relay = { id, inbox_url: url, actor_url: url.nullable() };
const SAMPLE = {
  id: '115500000000000040',
  inbox_url: 'https://relay.example/inbox',
  actor_url: 'https://relay.example/actor',
};

export const RelayAdded = defineEvent({
  type: 'RelayAdded',
  version: 1,
  schema: z.object(relay),
  samples: { 1: SAMPLE },
});

/** This server subscribes to the relay; `follow_id` names the request. */
export const RelayEnabled = defineEvent({
  type: 'RelayEnabled',
  version: 1,
  schema: z.object({ ...relay, follow_id: id }),
  samples: { 1: { ...SAMPLE, follow_id: '115500000000000041' } },
});

/** The relay agreed; `actor` signs what it sends. */
export const RelayAccepted = defineEvent({
  type: 'RelayAccepted',
  version: 1,
  schema: z.object({ id, actor: url }),
  samples: { 1: { id: SAMPLE.id, actor: SAMPLE.actor_url } },
});

export const RelayRejected = defineEvent({
  type: 'RelayRejected',
  version: 1,
  schema: z.object({ id }),
  samples: { 1: { id: SAMPLE.id } },
});

/** The server withdrew the request that `follow_id` names. */
export const RelayDisabled = defineEvent({
  type: 'RelayDisabled',
  version: 1,
  schema: z.object({ ...relay, follow_id: id }),
  samples: { 1: { ...SAMPLE, follow_id: '115500000000000041' } },
});

export const RelayRemoved = defineEvent({
  type: 'RelayRemoved',
  version: 1,
  schema: z.object({ id, inbox_url: url }),
  samples: { 1: { id: SAMPLE.id, inbox_url: SAMPLE.inbox_url } },
});

export const relayEvents = [
  RelayAdded,
  RelayEnabled,
  RelayAccepted,
  RelayRejected,
  RelayDisabled,
  RelayRemoved,
];
export type RelayEvent = EventOf<(typeof relayEvents)[number]>;
