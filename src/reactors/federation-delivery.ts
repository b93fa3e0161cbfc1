import { isForNobody, TOLD, tellOthers, type FollowUri } from '../federation/activities/index.ts';
import { reactor } from '../kernel/reactor.ts';

/** The ids of follows that came from elsewhere are not kept yet: the answer tells by who and whom which one is meant. */
const followUri: FollowUri = () => Promise.resolve(null);

/** Other servers are told what accounts of this one do, as far as it concerns them. */
export const federationDelivery = reactor({
  name: 'federation-delivery',
  on: TOLD,
  ignores: isForNobody,
  concurrency: 16,
  react: (ctx, event, { signal }) => tellOthers(ctx, event, { followUri, signal }),
});
