import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** Whether staff recommends an account to all users. */
export const recommendationStream = (accountId: string): string => `recommendation-${accountId}`;
/** One account does not want to see another among its suggestions: one event. */
export const dismissedSuggestionStream = (accountId: string, targetId: string): string =>
  `dismissed-suggestion-${accountId}-${targetId}`;

export const AccountRecommended = defineEvent({
  type: 'AccountRecommended',
  version: 1,
  schema: z.object({ account_id: id }),
  samples: { 1: { account_id: '109500000000000000' } },
});

export const AccountRecommendationEnded = defineEvent({
  type: 'AccountRecommendationEnded',
  version: 1,
  schema: z.object({ account_id: id }),
  samples: { 1: { account_id: '109500000000000000' } },
});

export const SuggestionDismissed = defineEvent({
  type: 'SuggestionDismissed',
  version: 1,
  schema: z.object({ account_id: id, target_account_id: id }),
  samples: { 1: { account_id: '109500000000000000', target_account_id: '109500000000000001' } },
});

export const suggestionEvents = [AccountRecommended, AccountRecommendationEnded, SuggestionDismissed];
export type RecommendationEvent =
  EventOf<typeof AccountRecommended> | EventOf<typeof AccountRecommendationEnded>;
export type DismissalEvent = EventOf<typeof SuggestionDismissed>;
