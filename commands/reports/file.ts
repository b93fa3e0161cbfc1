import { z } from 'zod';
import {
  MAX_REPORTED_COLLECTIONS,
  MAX_REPORTED_RULES,
  MAX_REPORTED_STATUSES,
  reportCategory,
  type ReportedStatus,
  type ReportEvent,
  reportStream,
} from '#events/reports.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import { FieldProblems, tooLong } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { formBoolean, formStringArray, idParam, wordText } from '#kernel/input.ts';
import { isLonger } from '#mastodon/characters.ts';
import { reportSchema } from '#mastodon/schemas/index.ts';
import { citedRules, reportedStatuses, reportText } from '#queries/reports/index.ts';
import { type Report, report } from './report.ts';
import { categoryOf, checkRules } from './rules.ts';

/** Characters, as in Mastodon. */
export const MAX_COMMENT = 1_000;

const ids = (max: number) =>
  formStringArray(max, 40)
    .default([])
    .transform((given) => [...new Set(given)]);

/** Lengths of texts only bound the work. */
const body = z.object({
  account_id: idParam.nullish().catch(null).describe('The ID of the account to report.'),
  status_ids: ids(MAX_REPORTED_STATUSES).describe(
    `IDs of statuses of the account as evidence, at most ${MAX_REPORTED_STATUSES}.`,
  ),
  collection_ids: ids(MAX_REPORTED_COLLECTIONS).describe(
    `IDs of collections of the account as evidence, at most ${MAX_REPORTED_COLLECTIONS}.`,
  ),
  comment: z
    .string()
    .max(20_000)
    .nullish()
    .describe(`What staff should know, in at most ${MAX_COMMENT} characters.`),
  forward: formBoolean
    .optional()
    .describe(
      'Whether the server of the account gets the report too, without the name of the user; false by default.',
    ),
  category: wordText(reportCategory.options, 1_000)
    .nullish()
    .describe(
      'What the report is about: `spam`, `legal`, `violation` or `other` (the default); rules make it `violation`.',
    ),
  rule_ids: ids(MAX_REPORTED_RULES).describe(
    `IDs of the rules of this server that were violated, at most ${MAX_REPORTED_RULES}.`,
  ),
});
export type ReportInput = z.output<typeof body>;

/** https://docs.joinmastodon.org/methods/reports/#post */
export const fileReport = endpoint({
  method: 'POST',
  path: '/api/v1/reports',
  summary: 'Report an account to the staff',
  auth: 'user',
  scopes: ['write:reports'],
  body,
  requires: ['account_id'],
  limit: 'reports',
  reply: reportSchema,
  errors: [404],
  handler: async (ctx, { body: input }) => {
    if (input.account_id == null) throw notFound();
    const reported = {
      accountId: input.account_id,
      statusIds: input.status_ids,
      collectionIds: input.collection_ids,
    };
    const [statuses, rules] = await Promise.all([
      reportedStatuses(ctx.db, ctx.viewer.account_id, reported),
      citedRules(ctx.db, input.rule_ids),
    ]);
    const command = {
      id: ctx.newId(),
      account_id: ctx.viewer.account_id,
      target_account_id: input.account_id,
      input,
    };
    await ctx.execute(
      reportStream(command.id),
      report,
      (state) => decideFile(state, command, { statuses, rules: rules.known }),
      { isNew: true },
    );
    return { text: await reportText(ctx, command.id) };
  },
});

export interface FilingFacts {
  /** As they are now. */
  statuses: readonly ReportedStatus[];
  /** The existing rules among the cited ids. */
  rules: ReadonlySet<Id>;
}

/**
 * A report that cites rules has the category violation. Pure. @throws RookeryError `invalid`, or `conflict`
 * when the id is taken
 */
export function decideFile(
  state: Report,
  { input, ...who }: { id: Id; account_id: Id; target_account_id: Id; input: ReportInput },
  { statuses, rules }: FilingFacts,
): ReportEvent[] {
  if (state.state !== 'none') throw conflict();
  const { rule_ids, collection_ids } = input;
  const comment = input.comment ?? '';
  const problems = new FieldProblems();
  if (isLonger(comment, MAX_COMMENT)) problems.add('comment', tooLong(MAX_COMMENT));
  const category = rule_ids.length > 0 ? 'violation' : categoryOf(input.category || 'other', problems);
  if (category) checkRules(category, rule_ids.length > 0 ? rule_ids : undefined, { known: rules }, problems);
  problems.throwIfAny();
  if (!category) return [];
  const what = { statuses: [...statuses], collection_ids, comment, forward: input.forward === true };
  return [{ type: 'ReportFiled', data: { ...who, ...what, category, rule_ids } }];
}
