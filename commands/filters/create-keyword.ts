import { z } from 'zod';
import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParam } from '#kernel/input.ts';
import { filterKeywordSchema } from '#mastodon/schemas/index.ts';
import { ownKeywordOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { type Filter, filter, ownFilter } from './filter.ts';
import { type KeywordInput, keywordInput } from './input.ts';
import { editKeywords, keywordsEdited, MAX_KEYWORD } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { checkText } from './text.ts';

export const createKeyword = endpoint({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/keywords',
  summary: 'Add a keyword to a filter',
  auth: 'user',
  scopes: ['write:filters'],
  params: z.object({ filter_id: idParam.describe('The ID of the filter.') }),
  body: keywordInput,
  requires: ['keyword'],
  reply: filterKeywordSchema,
  handler: async (ctx, { params: { filter_id: filterId }, body }) => {
    const accountId = ctx.viewer.account_id;
    const id = ctx.newId();
    await executeWithinQuota(ctx, {
      stream: filterStream(filterId),
      decider: filter,
      decide: (state) => decideCreateKeyword(state, { account_id: accountId, id, input: body }),
      quota: filterQuota(ctx.db, accountId, { isNew: false }),
    });
    return { json: await ownKeywordOf(ctx.db, accountId, id) };
  },
});

/** Pure. @throws RookeryError `not_found`, `invalid` */
export function decideCreateKeyword(
  state: Filter,
  { account_id: accountId, id, input }: { account_id: Id; id: Id; input: KeywordInput },
): FilterEvent[] {
  const own = ownFilter(state, accountId);
  const problems = new FieldProblems();
  checkText('keyword', input.keyword ?? '', MAX_KEYWORD, problems);
  problems.throwIfAny();
  return keywordsEdited(own, editKeywords(own.keywords, [{ ...input, new_id: id }], problems));
}
