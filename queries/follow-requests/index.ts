import { listFollowRequests } from './list.ts';

export const followRequestQueries = [listFollowRequests];
