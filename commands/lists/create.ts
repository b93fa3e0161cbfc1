import { countLists, ownListOf } from '../../queries/lists/index.ts';
import { listSchema } from '../../queries/entities/schemas/index.ts';
import { listStream, type ListEvent } from '../../src/events/lists.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { conflict, invalid } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { list, type List } from './list.ts';
import { checkSettings, listInput, type ListInput } from './settings.ts';

/** Of one person, as in Mastodon. Counted in the read model, so requests at the same moment may end slightly above. */
export const MAX_LISTS = 50;

export const createList = endpoint({
  method: 'POST',
  path: '/api/v1/lists',
  summary: 'Create a list',
  auth: 'user',
  scopes: ['write:lists'],
  body: listInput,
  reply: listSchema,
  handler: async (ctx, { body: input }) => {
    const command = { list_id: ctx.newId(), account_id: ctx.viewer.account_id, input };
    await ctx.settle([MAIN]);
    const lists = await countLists(ctx.db, command.account_id);
    await ctx.execute(listStream(command.list_id), list, (state) => decideCreate(state, command, { lists }), {
      isNew: true,
    });
    await ctx.settle([MAIN]);
    return { json: await ownListOf(ctx.db, command.account_id, command.list_id) };
  },
});

/** `lists` is how many the owner has. Pure. @throws RookeryError `invalid`, or `conflict` when the id is taken */
export function decideCreate(
  state: List,
  { list_id, account_id, input }: { list_id: Id; account_id: Id; input: ListInput },
  { lists }: { lists: number },
): ListEvent[] {
  if (state.state !== 'none') {
    throw conflict();
  }
  const settings = checkSettings(input);
  if (lists >= MAX_LISTS) throw invalid(`Validation failed: You cannot have more than ${MAX_LISTS} lists`);
  const defaults = { replies_policy: 'list', exclusive: false } as const;
  return [{ type: 'ListCreated', data: { list_id, account_id, ...defaults, ...settings } }];
}
