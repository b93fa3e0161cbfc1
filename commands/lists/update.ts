import { type ListEvent, listStream } from '#events/lists.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { listSchema } from '#mastodon/schemas/index.ts';
import { ownListOf } from '#queries/lists/index.ts';
import { type List, list, type ListSettings, ownList } from './list.ts';
import { checkSettings, type ListInput, listInput } from './settings.ts';

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
