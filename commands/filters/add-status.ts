import { z } from 'zod';
import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { FieldProblems, TAKEN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParam } from '#kernel/input.ts';
import { filterStatusSchema } from '#mastodon/schemas/index.ts';
import { ownFilterStatusOf, statusIsVisible } from '#queries/filters/index.ts';
import { type Filter, filter, ownFilter } from './filter.ts';

/** The maximum of statuses in one filter. */
export const MAX_STATUSES = 1_000;

export const addStatus = endpoint({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/statuses',
  summary: 'Add a status to a filter',
  auth: 'user',
  scopes: ['write:filters'],
  params: z.object({ filter_id: idParam.describe('The ID of the filter.') }),
  body: z.object({
    status_id: idParam.nullish().catch(null).describe('The ID of a status that the user can see.'),
  }),
  requires: ['status_id'],
  reply: filterStatusSchema,
  handler: async (ctx, { params: { filter_id: filterId }, body }) => {
    const accountId = ctx.viewer.account_id;
    const statusId = body.status_id ?? null;
    const id = ctx.newId();
    const visible = statusId !== null && (await statusIsVisible(ctx.db, accountId, statusId));
    const command = { account_id: accountId, id, status_id: visible ? statusId : null };
    await ctx.execute(filterStream(filterId), filter, (state) => decideAddStatus(state, command));
    return { json: await ownFilterStatusOf(ctx.db, accountId, id) };
  },
});

/** `status_id` is null for a status that the owner cannot see. Pure. @throws RookeryError `not_found`, `invalid` */
export function decideAddStatus(
  state: Filter,
  { account_id, id, status_id }: { account_id: Id; id: Id; status_id: Id | null },
): FilterEvent[] {
  const { filter_id, statuses } = ownFilter(state, account_id);
  if (status_id === null) {
    const description = 'must exist';
    throw invalid(`Validation failed: Status ${description}`, {
      status: [{ error: 'ERR_BLANK', description }],
    });
  }
  const problems = new FieldProblems();
  if ([...statuses.values()].includes(status_id)) problems.add('status', TAKEN);
  problems.throwIfAny();
  if (statuses.size >= MAX_STATUSES) {
    throw invalid(`Validation failed: A filter cannot have more than ${MAX_STATUSES} statuses`);
  }
  return [{ type: 'FilterStatusAdded', data: { filter_id, account_id, id, status_id } }];
}
