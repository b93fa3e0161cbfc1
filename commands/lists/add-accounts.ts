import { z } from 'zod';
import { type ListEvent, listStream } from '#events/lists.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { formStringArray, idParams } from '#kernel/input.ts';
import { followOrRequest, lapsedFollows, tiesAmong } from '#queries/lists/index.ts';
import { useCase } from '../use-case.ts';
import { type List, list, ownList } from './list.ts';

/** Members of one list. One request may add all of them. */
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
        `IDs of accounts that the user follows or has asked to follow, or of the user, at most ${MAX_MEMBERS}; all of them are added or none.`,
      ),
  }),
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id }, body }) => {
    const accountId = ctx.viewer.account_id;
    const ids = [...new Set(body.account_ids)];
    const [ties, lapsed] = await Promise.all([
      tiesAmong(ctx.db, accountId, ids.filter(isId)),
      lapsedFollows(ctx.db, id),
    ]);
    await ctx.execute(listStream(id), list, (state) => decideAdd(state, accountId, ids, { ties, lapsed }));
    return { json: {} };
  },
});

export interface MembershipFacts {
  /** The follow or request of the owner that a membership needs, by account; null without one. */
  ties: ReadonlyMap<Id, Id | null>;
  /** Follows that have ended, and with them the membership. */
  lapsed: ReadonlySet<Id>;
}

const NOT_FOLLOWED = { error: 'ERR_INVALID', description: 'must be a followed account' };
const ON_THE_LIST = { error: 'ERR_TAKEN', description: 'is already on the list' };

/**
 * Adds all of the accounts or none. Pure.
 * @throws RookeryError `not_found` for an unknown account; `invalid` for a member or an account that the
 * owner does not follow, or past the limit
 */
export function decideAdd(
  state: List,
  accountId: Id,
  ids: readonly string[],
  { ties, lapsed }: MembershipFacts,
): ListEvent[] {
  const { list_id, account_id, members } = ownList(state, accountId);
  if (ids.some((id) => !ties.has(id))) throw notFound();
  const added = ids.map((id) => {
    const tie = ties.get(id) ?? null;
    const problems = new FieldProblems();
    // A former member has another follow: that membership ended with the old one.
    if (tie !== null && members.get(id) === tie) problems.add('account', ON_THE_LIST);
    if (tie === null) problems.add('account', NOT_FOLLOWED);
    problems.throwIfAny();
    return { account_id: id, follow_id: tie ?? '' };
  });
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
 * Adds an account to a list whose owner follows it or has asked to: an accepted request keeps its id, and the
 * membership counts from then on. Members stay.
 * @throws RookeryError `not_found`, `invalid` past the limit
 */
export const putIntoList = useCase({
  prepare: async ({ db }, command: { accountId: Id; listId: Id; memberId: Id }) => {
    const { accountId, listId, memberId } = command;
    const [followId, lapsed] = await Promise.all([
      followOrRequest(db, accountId, memberId),
      lapsedFollows(db, listId),
    ]);
    return { ...command, followId, lapsed };
  },
  stream: ({ listId }) => listStream(listId),
  decider: list,
  decide: (state, { accountId, memberId, followId, lapsed }): ListEvent[] => {
    if (followId === undefined) return decideAdd(state, accountId, [memberId], { ties: new Map(), lapsed });
    if (ownList(state, accountId).members.get(memberId) === followId) return [];
    return decideAdd(state, accountId, [memberId], { ties: new Map([[memberId, followId]]), lapsed });
  },
  // One command may add several.
  step: ({ memberId }) => memberId,
});
