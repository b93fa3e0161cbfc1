import { type ReportCategory, reportCategory } from '#events/reports.ts';
import type { FieldProblems } from '#kernel/field-problems.ts';
import { UNKNOWN } from '#kernel/field-problems.ts';
import type { CitedRules } from '#queries/reports/index.ts';

/** https://docs.joinmastodon.org/methods/reports/#422-unprocessable-entity */
const NO_RULES = { error: 'ERR_INVALID', description: 'does not reference valid rules' };
const NOT_BLANK = { error: 'ERR_PRESENT', description: 'must be blank' };

/** Returns the category of that name. Adds a wrong one to the problems and returns undefined. */
export function categoryOf(name: string, problems: FieldProblems): ReportCategory | undefined {
  const { data } = reportCategory.safeParse(name);
  if (!data) problems.add('category', UNKNOWN);
  return data;
}

/** Violations must state the existing rules that they cite, perhaps none; no other category cites any. */
export function checkRules(
  category: ReportCategory,
  ruleIds: readonly string[] | undefined,
  { known }: Pick<CitedRules, 'known'>,
  problems: FieldProblems,
): void {
  if (category !== 'violation') {
    if (ruleIds && ruleIds.length > 0) problems.add('rule_ids', NOT_BLANK);
  } else if (!ruleIds?.every((id) => known.has(id))) problems.add('rule_ids', NO_RULES);
}
