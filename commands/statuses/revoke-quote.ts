import { z } from 'zod';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden, notFound } from '#kernel/errors.ts';
import { idParam } from '#kernel/input.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { ofShownStatus, requireKnownQuote, touchedText, visibleTarget } from '#queries/statuses/index.ts';
import { type Status, status } from './status.ts';

/** https://docs.joinmastodon.org/methods/statuses/#revoke_quote */
export const revokeQuote = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
  summary: 'Take back the permission of a quote',
  auth: 'user',
  scopes: ['write:statuses'],
  subjectShown: ofShownStatus.subjectShown,
  params: z.object({
    id: idParam.describe('The ID of the quoted status, which the user wrote.'),
    quoting_status_id: idParam.describe('The ID of the status that quotes it.'),
  }),
  reply: statusSchema,
  handler: async (ctx, { params: { id, quoting_status_id: quotingId } }) => {
    const quoted = await visibleTarget(ctx, id);
    await requireKnownQuote(ctx, quotingId, quoted.id);
    if (quoted.account_id !== ctx.viewer.account_id) throw forbidden();
    await ctx.execute(statusStream(quotingId), status, (state) => decideRevoke(state, quoted));
    return { text: await touchedText(ctx, quotingId) };
  },
});

/**
 * `quoted` is the quoted post. A repeat does nothing. Pure. @throws RookeryError `not_found` when it is not
 * quoted
 */
export function decideRevoke(state: Status, quoted: { id: string; account_id: string }): StatusEvent[] {
  if (state.state !== 'visible') throw notFound();
  if (state.revokedQuoteId === quoted.id) return [];
  const { id, account_id, quote } = state.data;
  if (quote?.id !== quoted.id) throw notFound();
  return [
    {
      type: 'QuoteRevoked',
      data: { id, account_id, quoted_id: quoted.id, quoted_account_id: quoted.account_id },
    },
  ];
}
