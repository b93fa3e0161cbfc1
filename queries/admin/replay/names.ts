import { type Db, statement } from '#kernel/read.ts';
import type { Replay, ReplayName, ReplayState } from '#mastodon/schemas/index.ts';
import { citedRules } from '#queries/reports/index.ts';

/** Characters of the first words of a post. */
const FIRST_WORDS = 60;
/** The most accounts that are named: a page has some tens of steps. */
const MOST = 500;

const ACCOUNTS = statement<{ id: string; name: string }>(
  'replay_account_names',
  `select id, '@' || username || coalesce('@' || domain, '') as name from accounts where id = any($1::bigint[])`,
);

/**
 * Returns what people call the accounts, rules, posts, reports and strikes that a replay shows by their ids. Names posts
 * by words only where the state shows their text. At most two statements.
 */
export async function namesIn(
  db: Db,
  state: ReplayState,
  { changes, steps }: Pick<Replay, 'changes' | 'steps'>,
): Promise<ReplayName[]> {
  const { account, reports, strikes, posts } = state;
  const changed = changes.filter(({ field }) => field.endsWith('account_id') || field.endsWith('moved_to'));
  const accountIds = [
    ...[account?.id, account?.moved_to],
    ...reports.flatMap((each) => [
      each.assigned_account_id,
      each.resolved_by_account_id,
      each.target_account_id,
    ]),
    ...changed.flatMap(({ before, after }) => [before, after]),
    ...steps.flatMap(({ about }) => (about.kind === 'account' ? [about.id] : [])),
  ].filter((id) => typeof id === 'string');
  const ruleIds = [
    ...reports.flatMap(({ rule_ids }) => rule_ids),
    ...changes
      .filter(({ field }) => field.endsWith('rule_ids'))
      .flatMap(({ before, after }) => [before, after].flat()),
  ].filter((id) => typeof id === 'string');
  const asked = [[...new Set(accountIds)].slice(0, MOST)];
  const cited = [...new Set(ruleIds)];
  const [accounts, { texts }] = await Promise.all([
    accountIds.length === 0 ? [] : db.query(ACCOUNTS, asked),
    citedRules(db, cited),
  ]);
  return [
    ...accounts.map(({ id, name }) => ({ kind: 'account' as const, id, name })),
    ...[...texts].map(([id, { text }]) => ({ kind: 'rule' as const, id, name: text })),
    ...posts.flatMap(({ id, shown, text, spoiler_text: warning }): ReplayName[] => {
      const words = shown === 'whole' || shown === 'cut' ? firstWords(warning || text) : '';
      return words === '' ? [] : [{ kind: 'status', id, name: words }];
    }),
    ...reports.map(({ id, category }) => ({ kind: 'report' as const, id, name: category })),
    ...strikes.map(({ id, action }) => ({ kind: 'strike' as const, id, name: action })),
  ];
}

/** Returns the beginning of a text in one line, cut after a word where that is possible. */
export function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= FIRST_WORDS) return line;
  const cut = line.slice(0, FIRST_WORDS).toWellFormed();
  const end = cut.lastIndexOf(' ');
  return `${end > FIRST_WORDS / 2 ? cut.slice(0, end) : cut}…`;
}
