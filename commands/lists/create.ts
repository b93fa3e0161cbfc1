import { type ListEvent, listStream } from '#events/lists.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { conflict, invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Db } from '#kernel/read.ts';
import { listSchema } from '#mastodon/schemas/index.ts';
import { countLists, ownListOf } from '#queries/lists/index.ts';
import { countQuota, type Quota } from '../quotas/index.ts';
import { useCase } from '../use-case.ts';
import { type List, list } from './list.ts';
import { checkSettings, type ListInput, listInput } from './settings.ts';

/** Lists of one user, as in Mastodon. */
export const MAX_LISTS = 50;

export const createList = endpoint({
  method: 'POST',
  path: '/api/v1/lists',
  summary: 'Create a list',
  auth: 'user',
  scopes: ['write:lists'],
  body: listInput,
  requires: ['title'],
  reply: listSchema,
  handler: async (ctx, { body: input }) => {
    const command = { list_id: ctx.newId(), account_id: ctx.viewer.account_id, input };
    await createListAs(ctx, command);
    return { json: await ownListOf(ctx.db, command.account_id, command.list_id) };
  },
});

interface CreateCommand {
  list_id: Id;
  account_id: Id;
  input: ListInput;
}

/** @throws RookeryError `invalid`, or `conflict` when the id is taken */
export const createListAs = useCase({
  stream: ({ list_id }: CreateCommand) => listStream(list_id),
  decider: list,
  decide: decideCreate,
  quota: ({ db }, { account_id }) => listQuota(db, account_id),
  isNew: true,
});

/** Pure. @throws RookeryError `invalid`, or `conflict` when the id is taken */
export function decideCreate(state: List, { list_id, account_id, input }: CreateCommand): ListEvent[] {
  if (state.state !== 'none') {
    throw conflict();
  }
  const settings = {
    title: '',
    replies_policy: 'list',
    exclusive: false,
    ...checkSettings(input, { isNew: true }),
  } as const;
  return [{ type: 'ListCreated', data: { list_id, account_id, ...settings } }];
}

const listQuota = (db: Db, ownerId: Id): Quota<List, number> =>
  countQuota({
    name: 'lists',
    ownerId,
    added: (_before, after) => (after.state === 'exists' ? after.list_id : undefined),
    besides: (ids) => countLists(db, ownerId, ids),
    check: checkListLimit,
  });

/** @throws RookeryError `invalid` past the limit */
export function checkListLimit(lists: number): void {
  if (lists > MAX_LISTS) throw invalid('Validation failed: You have reached the maximum number of lists');
}
