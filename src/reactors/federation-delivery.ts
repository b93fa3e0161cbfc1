import { FEDERATED_EVENTS, federateEvent, hasNoRemoteAudience } from '#interfaces/federation/outbox/index.ts';
import { reactor } from '#kernel/reactor.ts';

/** Delivers actions of local accounts to the other servers that they concern. */
export const federationDelivery = reactor({
  name: 'federation-delivery',
  on: FEDERATED_EVENTS,
  ignores: hasNoRemoteAudience,
  concurrency: 16,
  react: (ctx, event, { signal }) => federateEvent(ctx, event, { signal }),
});
