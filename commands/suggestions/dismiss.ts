import { z } from 'zod';
import { type DismissalEvent, dismissedSuggestionStream } from '#events/suggestions.ts';
import type { Decider } from '#kernel/decider.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { isId } from '#kernel/ids.ts';
import { isKnownAccount } from '#queries/accounts/index.ts';

/** Stream `dismissed-suggestion-<account>-<target>`. */
export interface Dismissal {
  dismissed: boolean;
}

export const dismissal: Decider<Dismissal, DismissalEvent> = {
  initialState: { dismissed: false },
  evolve: (_state, { type }) => ({ dismissed: type === 'SuggestionDismissed' }),
};

/** Decides once. Pure. */
export const decideDismiss = ({ dismissed }: Dismissal, data: DismissalEvent['data']): DismissalEvent[] =>
  dismissed ? [] : [{ type: 'SuggestionDismissed', data }];

/**
 * A missing account needs no dismissal, and is no error:
 * https://docs.joinmastodon.org/methods/suggestions/#remove
 */
export const dismissSuggestion = endpoint({
  method: 'DELETE',
  path: '/api/v1/suggestions/:account_id',
  summary: 'Remove an account from the suggestions',
  auth: 'user',
  scopes: ['write:accounts'],
  params: z.object({
    account_id: z
      .string()
      .max(40)
      .describe('The ID of the account to suggest no more; an unknown one is ignored.'),
  }),
  reply: z.strictObject({}),
  handler: async (ctx, { params: { account_id: target } }) => {
    if (!isId(target) || !(await isKnownAccount(ctx.db, target))) return { json: {} };
    const data = { account_id: ctx.viewer.account_id, target_account_id: BigInt(target).toString() };
    await ctx.execute(
      dismissedSuggestionStream(data.account_id, data.target_account_id),
      dismissal,
      (state) => decideDismiss(state, data),
    );
    return { json: {} };
  },
});
