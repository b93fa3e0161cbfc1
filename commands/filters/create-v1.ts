import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { v1FilterSchema } from '#mastodon/schemas/index.ts';
import { ownV1FilterOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { type Filter, filter, requireNone } from './filter.ts';
import { type V1Input, v1Input } from './input.ts';
import { editKeywords, MAX_KEYWORD } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { checkContext, expiryOf, MAX_TITLE } from './settings.ts';
import { checkText } from './text.ts';

/** A v1 filter is a keyword, in a new filter of the same title. */
export const createV1Filter = endpoint({
  method: 'POST',
  path: '/api/v1/filters',
  summary: 'Create a filter of one keyword',
  auth: 'user',
  scopes: ['write:filters'],
  deprecated: true,
  deprecatedOn: '2022-11-14',
  body: v1Input,
  requires: ['phrase', 'context'],
  reply: v1FilterSchema,
  handler: async (ctx, { body: input }) => {
    const accountId = ctx.viewer.account_id;
    const command = { filter_id: ctx.newId(), account_id: accountId, id: ctx.newId(), now: ctx.now, input };
    const { events } = await executeWithinQuota(ctx, {
      stream: filterStream(command.filter_id),
      decider: filter,
      decide: (state) => decideCreateV1(state, command),
      isNew: true,
      quota: filterQuota(ctx.db, accountId, { isNew: true }),
    });
    return { json: await ownV1FilterOf(ctx.db, accountId, keywordIdIn(events) ?? command.id) };
  },
});

export interface CreateV1Filter {
  filter_id: Id;
  account_id: Id;
  /** The id of the keyword. */
  id: Id;
  /** ISO 8601. */
  now: string;
  input: V1Input;
}

/** Pure. @throws RookeryError `invalid` */
export function decideCreateV1(
  state: Filter,
  { filter_id, account_id, id, now, input }: CreateV1Filter,
): FilterEvent[] {
  requireNone(state);
  const phrase = input.phrase ?? '';
  const problems = new FieldProblems();
  // Mastodon makes the phrase the title, and its error names the title.
  checkText(phrase.trim() === '' ? 'title' : 'phrase', phrase, MAX_KEYWORD, problems);
  const context = checkContext(input.context ?? [], problems);
  problems.throwIfAny();
  const keyword = { keyword: phrase, whole_word: input.whole_word ?? false, new_id: id };
  const { added } = editKeywords(new Map(), [keyword], problems);
  return [
    {
      type: 'FilterCreated',
      data: {
        filter_id,
        account_id,
        title: titleOf(phrase),
        context,
        filter_action: input.irreversible === true ? 'hide' : 'warn',
        expires_at: expiryOf(input.expires_in ?? null, now),
        keywords: added,
      },
    },
  ];
}

/** Returns the title of a filter with this phrase, cut to the maximum. */
export const titleOf = (phrase: string): string => [...phrase].slice(0, MAX_TITLE).join('');

/** A repeated request finds the keyword of the first one. */
function keywordIdIn([event]: readonly FilterEvent[]): Id | undefined {
  return event?.type === 'FilterCreated' ? event.data.keywords[0]?.id : undefined;
}
