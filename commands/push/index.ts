import { changePushSubscription } from './change.ts';
import { subscribeToPush } from './subscribe.ts';
import { unsubscribeFromPush } from './unsubscribe.ts';

export { announcePush } from './announce.ts';
export { causesOf } from './causes.ts';
export { deliverPush } from './deliver.ts';
export { DELIVER_PUSH, type Push } from './enqueue.ts';

export const pushCommands = [subscribeToPush, changePushSubscription, unsubscribeFromPush];
