import { filterFacts, ownFilterOf, type FilterFacts } from '../../queries/filters/index.ts';
import { filterSchema } from '../../queries/entities/schemas/index.ts';
import { filterStream, type FilterEvent } from '../../src/events/filters.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { invalid } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { FieldProblems } from '../accounts/index.ts';
import { filter, requireNone, type Filter } from './filter.ts';
import { filterInput, type SettingsInput } from './input.ts';
import { editKeywords, type KeywordEdit } from './keywords.ts';
import { checkSettings } from './settings.ts';

/** Of one person. Counted in the read model, so that requests at the same moment may end slightly above. */
export const MAX_FILTERS = 100;

export const createFilter = endpoint({
  method: 'POST',
  path: '/api/v2/filters',
  summary: 'Create a filter',
  auth: 'user',
  scopes: ['write:filters'],
  body: filterInput,
  reply: filterSchema,
  handler: async (ctx, { body: { keywords_attributes: attributes = [], ...settings } }) => {
    const accountId = ctx.viewer.account_id;
    await ctx.settle([MAIN]);
    const facts = await filterFacts(ctx.db, accountId);
    const command: CreateFilter = {
      filter_id: ctx.newId(),
      account_id: accountId,
      now: ctx.now,
      settings,
      keywords: attributes.map((each) => ({ ...each, new_id: ctx.newId() })),
    };
    await ctx.execute(
      filterStream(command.filter_id),
      filter,
      (state) => decideCreate(state, command, facts),
      { isNew: true },
    );
    await ctx.settle([MAIN]);
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

/** A new filter with its keywords. Pure. @throws RookeryError `invalid`, or `not_found` for the id of a keyword */
export function decideCreate(state: Filter, command: CreateFilter, facts: FilterFacts): FilterEvent[] {
  requireNone(state);
  const { filter_id, account_id, now } = command;
  const problems = new FieldProblems();
  const settings = checkSettings(command.settings, { isNew: true, now }, problems);
  const { added } = editKeywords(new Map(), command.keywords, facts, problems);
  problems.throwIfAny();
  checkFilterLimit(facts);
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

/** @throws RookeryError `invalid` where there are as many filters as may be */
export function checkFilterLimit({ filters }: FilterFacts): void {
  if (filters >= MAX_FILTERS) {
    throw invalid(`Validation failed: You cannot have more than ${MAX_FILTERS} filters`);
  }
}
