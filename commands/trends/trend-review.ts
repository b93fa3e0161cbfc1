import type { TrendReviewEvent, TrendSubject } from '#events/trends.ts';
import type { Decider } from '#kernel/decider.ts';

/** The decision of staff; null for none yet. */
export type TrendReview = boolean | null;

export const trendReview: Decider<TrendReview, TrendReviewEvent> = {
  initialState: null,
  evolve: (_, { data }) => data.trendable,
};

/** Records a decision that differs from the one before. Pure. */
export const decideTrendReview = (
  state: TrendReview,
  data: { subject: TrendSubject; key: string; trendable: boolean },
): TrendReviewEvent[] => (state === data.trendable ? [] : [{ type: 'TrendReviewed', data }]);
