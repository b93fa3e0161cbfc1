import {
  hasNoRemoteAudience,
  FEDERATED_EVENTS,
  federateEvent,
} from '../interfaces/federation/activities/index.ts';
import { reactor } from '../kernel/reactor.ts';

/** Other servers are told what accounts of this one do, as far as it concerns them. */
export const federationDelivery = reactor({
  name: 'federation-delivery',
  on: FEDERATED_EVENTS,
  ignores: hasNoRemoteAudience,
  concurrency: 16,
  react: (ctx, event, { signal }) => federateEvent(ctx, event, { signal }),
});
