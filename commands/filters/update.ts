import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { filterSchema } from '#mastodon/schemas/index.ts';
import { ownFilterOf } from '#queries/filters/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { type ExistingFilter, type Filter, filter, type FilterSettings, ownFilter } from './filter.ts';
import { filterInput, type SettingsInput } from './input.ts';
import { editKeywords, type KeywordEdit, keywordsEdited } from './keywords.ts';
import { filterQuota } from './quota.ts';
import { changedSettings, checkSettings } from './settings.ts';

export const updateFilter = endpoint({
  method: 'PUT',
  path: '/api/v2/filters/:id',
  summary: 'Change a filter and its keywords',
  auth: 'user',
  scopes: ['write:filters'],
  params: idParams,
  body: filterInput,
  longTexts: true,
  reply: filterSchema,
  handler: async (ctx, { params: { id }, body: { keywords_attributes: attributes = [], ...settings } }) => {
    const accountId = ctx.viewer.account_id;
    const keywords = attributes.map((each) => ({ ...each, new_id: ctx.newId() }));
    const command: UpdateFilter = { account_id: accountId, now: ctx.now, settings, keywords };
    await executeWithinQuota(ctx, {
      stream: filterStream(id),
      decider: filter,
      decide: (state) => decideUpdate(state, command),
      quota: filterQuota(ctx.db, accountId, { isNew: false }),
    });
    return { json: await ownFilterOf(ctx.db, accountId, id) };
  },
});

export interface UpdateFilter {
  account_id: Id;
  /** ISO 8601. */
  now: string;
  settings: SettingsInput;
  keywords: readonly KeywordEdit[];
}

/**
 * Decides one event for the settings and one for the keywords, if they change. Pure. @throws RookeryError
 * `not_found`, `invalid`
 */
export function decideUpdate(state: Filter, command: UpdateFilter): FilterEvent[] {
  const own = ownFilter(state, command.account_id);
  const problems = new FieldProblems();
  const settings = checkSettings(command.settings, { isNew: false, now: command.now }, problems);
  const changes = editKeywords(own.keywords, command.keywords, problems);
  problems.throwIfAny();
  return [...filterUpdated(own, settings), ...keywordsEdited(own, changes)];
}

/** Returns the event, if any setting changes. */
export function filterUpdated(own: ExistingFilter, given: Partial<FilterSettings>): FilterEvent[] {
  const { context, ...changed } = changedSettings(own, given);
  const data = { ...changed, ...(context ? { context: [...context] } : {}) };
  if (Object.keys(data).length === 0) return [];
  return [{ type: 'FilterUpdated', data: { filter_id: own.filter_id, account_id: own.account_id, ...data } }];
}
