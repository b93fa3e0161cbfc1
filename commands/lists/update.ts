import { ownListOf } from '../../queries/lists/index.ts';
import { listSchema } from '../../src/mastodon/schemas/index.ts';
import { listStream, type ListEvent } from '../../src/events/lists.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { idParams } from '../../src/kernel/input.ts';
import { list, ownList, type List, type ListSettings } from './list.ts';
import { checkSettings, listInput, type ListInput } from './settings.ts';

export const updateList = endpoint({
  method: 'PUT',
  path: '/api/v1/lists/:id',
  summary: 'Change a list',
  auth: 'user',
  scopes: ['write:lists'],
  params: idParams,
  body: listInput,
  reply: listSchema,
  handler: async (ctx, { params: { id }, body: input }) => {
    const accountId = ctx.viewer.account_id;
    await ctx.execute(listStream(id), list, (state) => decideUpdate(state, accountId, input));
    return { json: await ownListOf(ctx.db, accountId, id) };
  },
});

/**
 * Omitted fields keep their value, including the title: as in Mastodon, although its documentation requires
 * one. Pure.
 * @throws RookeryError `not_found`, `invalid`
 */
export function decideUpdate(state: List, accountId: Id, input: ListInput): ListEvent[] {
  const own = ownList(state, accountId);
  const given = Object.entries(checkSettings(input)) as [keyof ListSettings, unknown][];
  const changed = Object.fromEntries(given.filter(([name, value]) => own[name] !== value));
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'ListUpdated', data: { list_id: own.list_id, account_id: own.account_id, ...changed } }];
}
