import type { StatusEvent } from '../../src/events/statuses.ts';
import { statusStream } from '../../src/events/statuses.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { deletedStatusSchema } from '../../queries/entities/schemas/index.ts';
import { sourceText } from '../../queries/statuses/index.ts';
import { status, type Status } from './status.ts';

export const deleteStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  summary: 'Delete a status',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  limit: 'deletes',
  reply: deletedStatusSchema,
  handler: async (ctx, { params: { id } }) => {
    await ctx.settle([MAIN]);
    // Rendered before it is gone; the decision below is what counts.
    const text = await sourceText(ctx, id);
    await ctx.execute(statusStream(id), status, (state) => decideDelete(state, ctx.viewer.account_id));
    await ctx.settle([MAIN]);
    return { text };
  },
});

/** Only the author's own, and only once. Pure. @throws RookeryError `not_found` */
export function decideDelete(state: Status, accountId: string): StatusEvent[] {
  if (state.state !== 'visible' || state.created.account_id !== accountId) throw notFound();
  const { id, account_id, visibility, in_reply_to_id } = state.created;
  return [{ type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } }];
}
