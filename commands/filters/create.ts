import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { filterSchema } from '#mastodon/schemas/index.ts';
import { ownFilterOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { type Filter, filter, requireNone } from './filter.ts';
import { filterInput, type SettingsInput } from './input.ts';
import { editKeywords, type KeywordEdit } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { checkSettings } from './settings.ts';

export const createFilter = endpoint({
  method: 'POST',
  path: '/api/v2/filters',
  summary: 'Create a filter',
  auth: 'user',
  scopes: ['write:filters'],
  body: filterInput,
  requires: ['title', 'context'],
  longTexts: true,
  reply: filterSchema,
  errors: [404],
  handler: async (ctx, { body: { keywords_attributes: attributes = [], ...settings } }) => {
    const accountId = ctx.viewer.account_id;
    const command: CreateFilter = {
      filter_id: ctx.newId(),
      account_id: accountId,
      now: ctx.now,
      settings,
      keywords: attributes.map((each) => ({ ...each, new_id: ctx.newId() })),
    };
    await executeWithinQuota(ctx, {
      stream: filterStream(command.filter_id),
      decider: filter,
      decide: (state) => decideCreate(state, command),
      isNew: true,
      quota: filterQuota(ctx.db, accountId, { isNew: true }),
    });
    return { json: await ownFilterOf(ctx.db, accountId, command.filter_id) };
  },
});

export interface CreateFilter {
  filter_id: Id;
  account_id: Id;
  /** ISO 8601. */
  now: string;
  settings: SettingsInput;
  keywords: readonly KeywordEdit[];
}

/**
 * Creates a filter with its keywords. Pure. @throws RookeryError `invalid`, or `not_found` for the id of a
 * keyword
 */
export function decideCreate(state: Filter, command: CreateFilter): FilterEvent[] {
  requireNone(state);
  const { filter_id, account_id, now } = command;
  const problems = new FieldProblems();
  const settings = checkSettings(command.settings, { isNew: true, now }, problems);
  const { added } = editKeywords(new Map(), command.keywords, problems);
  problems.throwIfAny();
  return [
    {
      type: 'FilterCreated',
      data: {
        filter_id,
        account_id,
        title: settings.title ?? '',
        context: [...(settings.context ?? [])],
        filter_action: settings.filter_action ?? 'warn',
        expires_at: settings.expires_at ?? null,
        keywords: added,
      },
    },
  ];
}
