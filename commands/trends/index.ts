import { approveTag, changeTag, rejectTag } from './change-tag.ts';
import {
  approvePublisher,
  approveTrendingLink,
  approveTrendingStatus,
  rejectPublisher,
  rejectTrendingLink,
  rejectTrendingStatus,
} from './review-trend.ts';

export { reviewTag } from './change-tag.ts';
export { askForReviews, requestReviews } from './request-reviews.ts';
export { reviewTrend } from './review-trend.ts';

export const trendCommands = [
  approveTag,
  rejectTag,
  changeTag,
  approveTrendingStatus,
  rejectTrendingStatus,
  approveTrendingLink,
  rejectTrendingLink,
  approvePublisher,
  rejectPublisher,
];
