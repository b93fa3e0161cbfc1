import { type FilterEvent, filterStream } from '#events/filters.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { type FilterKeyword, filterKeywordSchema } from '#mastodon/schemas/index.ts';
import { filterIdOfKeyword, ownKeywordOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { type Filter, filter, ownFilter } from './filter.ts';
import { type KeywordInput, keywordInput } from './input.ts';
import { editKeywords, keywordsEdited, MAX_KEYWORD } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { checkText } from './text.ts';

const declared = {
  method: 'PUT',
  auth: 'user',
  scopes: ['write:filters'],
  params: idParams,
  body: keywordInput,
  reply: filterKeywordSchema,
} as const;

export const updateKeyword = endpoint({
  ...declared,
  path: '/api/v2/filters/keywords/:id',
  summary: 'Edit a keyword of a filter',
  handler: async (ctx, { params, body }) => ({ json: await update(ctx, params.id, body) }),
});

/** The specification has keywords under v1, too. */
export const updateKeywordUnderV1 = endpoint({
  ...declared,
  path: '/api/v1/filters/keywords/:id',
  summary: 'Edit a keyword of a filter',
  handler: async (ctx, { params, body }) => ({ json: await update(ctx, params.id, body) }),
});

async function update(ctx: UserContext, id: Id, input: KeywordInput): Promise<FilterKeyword> {
  const accountId = ctx.viewer.account_id;
  const filterId = await filterIdOfKeyword(ctx.db, accountId, id);
  await executeWithinQuota(ctx, {
    stream: filterStream(filterId),
    decider: filter,
    decide: (state) => decideUpdateKeyword(state, { account_id: accountId, id, input }),
    quota: filterQuota(ctx.db, accountId, { isNew: false }),
  });
  return ownKeywordOf(ctx.db, accountId, id);
}

/** Omitted fields keep their value. Pure. @throws RookeryError `not_found`, `invalid` */
export function decideUpdateKeyword(
  state: Filter,
  { account_id: accountId, id, input }: { account_id: Id; id: Id; input: KeywordInput },
): FilterEvent[] {
  const own = ownFilter(state, accountId);
  const known = own.keywords.get(id);
  if (!known) throw notFound();
  const problems = new FieldProblems();
  checkText(
    'keyword',
    input.keyword === undefined ? known.keyword : (input.keyword ?? ''),
    MAX_KEYWORD,
    problems,
  );
  problems.throwIfAny();
  return keywordsEdited(own, editKeywords(own.keywords, [{ ...input, id, new_id: id }], problems));
}
