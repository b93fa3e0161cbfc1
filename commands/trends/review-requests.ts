import type { TrendReviewsRequestedEvent } from '#events/trends.ts';
import type { Decider } from '#kernel/decider.ts';

type Asking = TrendReviewsRequestedEvent['data'];

/** Stream `trend-review-requests-<day>`: the things that staff were asked to review on that day. */
export const reviewRequests: Decider<ReadonlySet<string>, TrendReviewsRequestedEvent> = {
  initialState: new Set(),
  evolve: (state, { data }) =>
    new Set([...state, ...data.tags.map(({ tag }) => `#${tag}`), ...data.statuses, ...data.links]),
};

/** Asks about each thing once. Pure. */
export function decideRequestReviews(
  state: ReadonlySet<string>,
  asking: Asking,
): TrendReviewsRequestedEvent[] {
  const data = {
    tags: asking.tags.filter(({ tag }) => !state.has(`#${tag}`)),
    statuses: asking.statuses.filter((id) => !state.has(id)),
    links: asking.links.filter((key) => !state.has(key)),
  };
  const isEmpty = Object.values(data).every((list) => list.length === 0);
  return isEmpty ? [] : [{ type: 'TrendReviewsRequested', data }];
}
