import { listRelays, showRelay } from './list.ts';

export { countRelays, relayOf, relaysAbove } from './list.ts';

export const adminRelayQueries = [listRelays, showRelay];
