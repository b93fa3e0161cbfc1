import { listFollowedTags } from './list.ts';

export const followedTagQueries = [listFollowedTags];
