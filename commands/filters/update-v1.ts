import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { v1FilterSchema } from '#mastodon/schemas/index.ts';
import { filterIdOfKeyword, ownV1FilterOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { titleOf } from './create-v1.ts';
import { type ExistingFilter, type Filter, filter, type FilterSettings, ownFilter } from './filter.ts';
import { type V1Input, v1Input } from './input.ts';
import { editKeywords, keywordsEdited, MAX_KEYWORD } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { changedSettings, checkContext, expiryOf } from './settings.ts';
import { checkText } from './text.ts';
import { filterUpdated } from './update.ts';

/** The id is that of a keyword. */
export const updateV1Filter = endpoint({
  method: 'PUT',
  path: '/api/v1/filters/:id',
  summary: 'Change a keyword and its filter',
  auth: 'user',
  scopes: ['write:filters'],
  deprecated: true,
  deprecatedOn: '2022-11-14',
  params: idParams,
  body: v1Input,
  reply: v1FilterSchema,
  handler: async (ctx, { params: { id }, body: input }) => {
    const accountId = ctx.viewer.account_id;
    const filterId = await filterIdOfKeyword(ctx.db, accountId, id);
    const command = { account_id: accountId, id, now: ctx.now, input };
    await executeWithinQuota(ctx, {
      stream: filterStream(filterId),
      decider: filter,
      decide: (state) => decideUpdateV1(state, command),
      quota: filterQuota(ctx.db, accountId, { isNew: false }),
    });
    return { json: await ownV1FilterOf(ctx.db, accountId, id) };
  },
});

export interface UpdateV1Filter {
  account_id: Id;
  /** The id of the keyword. */
  id: Id;
  /** ISO 8601. */
  now: string;
  input: V1Input;
}

/**
 * Omitted fields keep their value. Settings of several keywords cannot be changed through one of them. Pure.
 * @throws RookeryError `not_found`, `invalid`
 */
export function decideUpdateV1(state: Filter, { account_id, id, now, input }: UpdateV1Filter): FilterEvent[] {
  const own = ownFilter(state, account_id);
  const keyword = own.keywords.get(id);
  if (!keyword) throw notFound();
  const phrase = input.phrase ?? keyword.keyword;
  const problems = new FieldProblems();
  checkText('phrase', phrase, MAX_KEYWORD, problems);
  const given: Partial<FilterSettings> = actionOf(input, own);
  if (input.context !== undefined) given.context = checkContext(input.context, problems);
  problems.throwIfAny();

  if (input.expires_in !== undefined) given.expires_at = expiryOf(input.expires_in, now);
  const several = own.keywords.size > 1;
  if (several && Object.keys(changedSettings(own, given)).length > 0) {
    throw invalid('Validation failed: This filter has several keywords; use an app that knows such filters');
  }
  // The title of a filter that was created through v1 follows its phrase.
  if (!several && own.title === titleOf(keyword.keyword)) given.title = titleOf(phrase);
  const edit = { id, new_id: id, keyword: phrase, whole_word: input.whole_word };
  const changes = editKeywords(own.keywords, [edit], problems);
  return [...filterUpdated(own, given), ...keywordsEdited(own, changes)];
}

/** A reversible filter warns, unless its action is already milder than hiding. */
function actionOf(
  { irreversible }: V1Input,
  { filter_action: now }: ExistingFilter,
): Partial<FilterSettings> {
  if (irreversible === true) return { filter_action: 'hide' };
  return irreversible === false && now === 'hide' ? { filter_action: 'warn' } : {};
}
