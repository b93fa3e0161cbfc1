import { approveTag, changeTag, rejectTag } from './change-tag.ts';

export { reviewTag } from './change-tag.ts';
export { requestReviews } from './request-reviews.ts';

export const trendCommands = [approveTag, rejectTag, changeTag];
