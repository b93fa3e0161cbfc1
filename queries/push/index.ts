import { showPushSubscription } from './show.ts';

export { addresseesAfter, mayBePushed, type PushCause } from './addressees.ts';
export { pushableTo, type Pushable } from './pushable.ts';
export { subscriptionOf } from './show.ts';

export const pushQueries = [showPushSubscription];
