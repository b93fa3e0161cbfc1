import { interactionStream } from '../../src/events/interactions.ts';
import type { StatusEvent } from '../../src/events/statuses.ts';
import { statusStream } from '../../src/events/statuses.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { deletedStatusSchema } from '../../queries/entities/schemas/index.ts';
import { ownStatus, sourceText } from '../../queries/statuses/index.ts';
import { interaction } from './interaction.ts';
import { decideUnreblog } from './reblog.ts';
import { status, type Status } from './status.ts';

/** Of a post, or of a reblog by its own id. */
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
    const own = await ownStatus(ctx, id);
    const text = await sourceText(ctx, own);
    const me = ctx.viewer.account_id;
    const { reblog_of_id: original, reblog_account_id: author } = own;
    if (original !== null && author !== null) {
      const target = { account_id: me, status_id: original, status_account_id: author };
      await ctx.execute(interactionStream(me, original), interaction, (state) =>
        decideUnreblog(state, target),
      );
    } else {
      await ctx.execute(statusStream(id), status, (state) => decideDelete(state, me));
    }
    await ctx.settle([MAIN]);
    return { text };
  },
});

/** Only the author's own, and only once. Pure. @throws RookeryError `not_found` */
export function decideDelete(state: Status, accountId: string): StatusEvent[] {
  if (state.state !== 'visible' || state.data.account_id !== accountId) throw notFound();
  const { id, account_id, visibility, in_reply_to_id } = state.data;
  return [{ type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } }];
}
