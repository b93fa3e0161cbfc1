import { z } from 'zod';
import { type QuotePolicy, quotePolicy, type QuotePolicyChanged, statusStream } from '#events/statuses.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden } from '#kernel/errors.ts';
import type { EventOf } from '#kernel/event.ts';
import { orNothing } from '#kernel/input.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { ofShownStatus, statusText, visibleTarget } from '#queries/statuses/index.ts';
import { requireOwnPost, type Status, status } from './status.ts';

/** https://docs.joinmastodon.org/methods/statuses/#edit_interaction_policy */
export const changeInteractionPolicy = endpoint({
  method: 'PUT',
  path: '/api/v1/statuses/:id/interaction_policy',
  summary: 'Change who may quote a status',
  auth: 'user',
  scopes: ['write:statuses'],
  ...ofShownStatus,
  body: z.object({
    quote_approval_policy: orNothing(quotePolicy).describe(
      'Who may quote the status: `public`, `followers` or `nobody`; absent, nothing changes.',
    ),
  }),
  reply: statusSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const { account_id: authorId } = await visibleTarget(ctx, id);
    if (authorId !== ctx.viewer.account_id) throw forbidden();
    await ctx.execute(statusStream(id), status, (state) =>
      decideQuotePolicy(state, ctx.viewer.account_id, body.quote_approval_policy),
    );
    return { text: await statusText(ctx, id) };
  },
});

/**
 * Without a policy, nothing changes. Only public posts can be quoted, whatever the policy; existing quotes
 * stay. Pure. @throws RookeryError `not_found` for a post of another account
 */
export function decideQuotePolicy(
  state: Status,
  accountId: string,
  wanted: QuotePolicy | null | undefined,
): EventOf<typeof QuotePolicyChanged>[] {
  const { id, account_id, visibility, quote_policy: before } = requireOwnPost(state, accountId);
  const forEverybody = visibility === 'public' || visibility === 'unlisted';
  if (wanted == null || !forEverybody || wanted === before) return [];
  return [{ type: 'QuotePolicyChanged', data: { id, account_id, quote_policy: wanted } }];
}
