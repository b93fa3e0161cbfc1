import { type RecommendationEvent, recommendationStream } from '#events/suggestions.ts';
import type { Decider } from '#kernel/decider.ts';
import { useCase } from '../use-case.ts';

/** Stream `recommendation-<account>`: whether staff recommends the account. */
export interface Recommendation {
  recommended: boolean;
}

export const recommendation: Decider<Recommendation, RecommendationEvent> = {
  initialState: { recommended: false },
  evolve: (_state, { type }) => ({ recommended: type === 'AccountRecommended' }),
};

/** Decides only differences. Pure. */
export function decideRecommend(
  state: Recommendation,
  { accountId, recommended }: { accountId: string; recommended: boolean },
): RecommendationEvent[] {
  if (state.recommended === recommended) return [];
  const type = recommended ? 'AccountRecommended' : 'AccountRecommendationEnded';
  return [{ type, data: { account_id: accountId } }];
}

/** Recommends an account to all users, or no longer. */
export const recommendAccount = useCase({
  stream: ({ accountId }: { accountId: string; recommended: boolean }) => recommendationStream(accountId),
  decider: recommendation,
  decide: decideRecommend,
});
