import { z } from 'zod';
import { categoryOf, checkRules, type Report, requireFiled } from '#commands/reports/index.ts';
import {
  MAX_REPORTED_RULES,
  type ReportCategory,
  reportCategory,
  type ReportEvent,
} from '#events/reports.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { formStringArray, idParams, wordText } from '#kernel/input.ts';
import { adminReportSchema } from '#mastodon/schemas/index.ts';
import { citedRules } from '#queries/reports/index.ts';
import { handleReport } from './handle.ts';

const body = z.object({
  category: wordText(reportCategory.options, 1_000)
    .nullish()
    .describe('What the report is about: `spam`, `legal`, `violation` or `other`.'),
  rule_ids: formStringArray(MAX_REPORTED_RULES, 40)
    .optional()
    .describe('IDs of the rules that were violated, which only a report of the category `violation` names.'),
});

/** https://docs.joinmastodon.org/methods/admin/reports/#update */
export const updateReport = endpoint({
  method: 'PUT',
  path: '/api/v1/admin/reports/:id',
  summary: 'Change the category of a report',
  auth: 'user',
  scopes: ['admin:write:reports'],
  permission: 'manage_reports',
  params: idParams,
  body,
  reply: adminReportSchema,
  handler: async (ctx, { params: { id }, body: { category, rule_ids } }) => {
    const changes = { category: category || undefined, rule_ids: rule_ids && [...new Set(rule_ids)] };
    const rules = await citedRules(ctx.db, changes.rule_ids ?? []);
    return handleReport(ctx, id, (state) =>
      decideUpdate(state, { ...changes, account_id: ctx.viewer.account_id }, rules.known),
    );
  },
});

/**
 * Omitted fields keep their value, except that a report with another category than violation cites no rules.
 * Pure. @throws RookeryError `not_found`, `invalid`
 */
export function decideUpdate(
  state: Report,
  changes: { account_id: Id; category?: string | undefined; rule_ids?: readonly Id[] | undefined },
  known: ReadonlySet<Id>,
): ReportEvent[] {
  const filed = requireFiled(state);
  const problems = new FieldProblems();
  const category = changes.category === undefined ? filed.category : categoryOf(changes.category, problems);
  problems.throwIfAny();
  if (!category) return [];
  const rule_ids = changes.rule_ids ?? (category === 'violation' ? filed.rule_ids : []);
  // Existing citations stay, even of deleted rules.
  const cited = changes.rule_ids || rule_ids.length > 0 ? rule_ids : undefined;
  checkRules(category, cited, { known: new Set([...known, ...filed.rule_ids]) }, problems);
  problems.throwIfAny();
  const changed: { category?: ReportCategory; rule_ids?: Id[] } = {
    ...(category === filed.category ? {} : { category }),
    ...(sameIds(rule_ids, filed.rule_ids) ? {} : { rule_ids: [...rule_ids] }),
  };
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'ReportUpdated', data: { id: filed.id, account_id: changes.account_id, ...changed } }];
}

const sameIds = (one: readonly Id[], other: readonly Id[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);
