import { z } from 'zod';
import { followOrRequest, followsAmong, lapsedFollows } from '../../queries/lists/index.ts';
import { listStream, type ListEvent } from '../../src/events/lists.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { invalid, notFound } from '../../src/kernel/errors.ts';
import { isId, type Id } from '../../src/kernel/ids.ts';
import { formStringArray, idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { FieldProblems, TAKEN } from '../accounts/index.ts';
import { list, ownList, type List } from './list.ts';

/** In one list. All of them can be asked for in one request. */
export const MAX_MEMBERS = 1_000;

export const addListAccounts = endpoint({
  method: 'POST',
  path: '/api/v1/lists/:id/accounts',
  summary: 'Add accounts to a list',
  auth: 'user',
  scopes: ['write:lists'],
  params: idParams,
  body: z.object({
    account_ids: formStringArray(MAX_MEMBERS, 40)
      .default([])
      .describe(
        `IDs of accounts that the user follows, at most ${MAX_MEMBERS}; all of them are added or none.`,
      ),
  }),
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id }, body }) => {
    const accountId = ctx.viewer.account_id;
    const ids = [...new Set(body.account_ids)];
    await ctx.settle([MAIN]);
    const [follows, lapsed] = await Promise.all([
      followsAmong(ctx.db, accountId, ids.filter(isId)),
      lapsedFollows(ctx.db, id),
    ]);
    await ctx.execute(listStream(id), list, (state) => decideAdd(state, accountId, ids, { follows, lapsed }));
    await ctx.settle([MAIN]);
    return { json: {} };
  },
});

export interface MembershipFacts {
  /** The owner's follows, by the account that is followed. */
  follows: ReadonlyMap<Id, Id>;
  /** Follows that have ended, and with them the membership. */
  lapsed: ReadonlySet<Id>;
}

/**
 * All of the accounts or none. Pure.
 * @throws RookeryError `not_found` for whom the owner does not follow, `invalid` for who is a member, or past the limit
 */
export function decideAdd(
  state: List,
  accountId: Id,
  ids: readonly string[],
  { follows, lapsed }: MembershipFacts,
): ListEvent[] {
  const { list_id, account_id, members } = ownList(state, accountId);
  const added = ids.map((id) => {
    const followId = follows.get(id);
    if (followId === undefined) throw notFound();
    return { account_id: id, follow_id: followId };
  });
  const problems = new FieldProblems();
  // With another follow, it was a member of earlier: that ended with the follow.
  if (added.some((member) => members.get(member.account_id) === member.follow_id)) {
    problems.add('account', TAKEN);
  }
  problems.throwIfAny();
  const there = [...members].filter(([, followId]) => !lapsed.has(followId)).map(([id]) => id);
  const size = new Set([...there, ...ids]).size;
  if (size > MAX_MEMBERS) {
    throw invalid(`Validation failed: A list cannot have more than ${MAX_MEMBERS} accounts`);
  }
  return added.length === 0
    ? []
    : [{ type: 'ListAccountsAdded', data: { list_id, account_id, members: added } }];
}

/**
 * Puts somebody into a list whom its owner follows or asks to follow: a request keeps its id when it is accepted, and the
 * membership counts from then on. Who is a member already stays one.
 * @throws RookeryError `not_found`, `invalid` past the limit
 */
export async function putIntoList(
  ctx: CommandContext,
  accountId: Id,
  listId: Id,
  memberId: Id,
): Promise<void> {
  await ctx.settle([MAIN]);
  const [followId, lapsed] = await Promise.all([
    followOrRequest(ctx.db, accountId, memberId),
    lapsedFollows(ctx.db, listId),
  ]);
  const follows = new Map(followId === undefined ? [] : [[memberId, followId]]);
  const decide = (state: List): ListEvent[] =>
    followId !== undefined && ownList(state, accountId).members.get(memberId) === followId
      ? []
      : decideAdd(state, accountId, [memberId], { follows, lapsed });
  // Several are put into one list by one command.
  await ctx.execute(listStream(listId), list, decide, { step: memberId });
}
