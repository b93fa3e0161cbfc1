import { listFollowRequests } from './list.ts';

export { waitingFor } from './waiting.ts';

export const followRequestQueries = [listFollowRequests];
