import { Argument, Command, Option } from 'commander';
import {
  changeReport,
  decideAssign,
  decideReopen,
  decideResolve,
  decideUnassign,
  type ReportDecision,
} from '#commands/admin/reports/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { plainText } from '#mastodon/html.ts';
import type { AdminReport } from '#mastodon/schemas/index.ts';
import { staffWhoMay } from '#queries/admin/accounts/index.ts';
import { adminReportText, newestReportNotes, newestReports } from '#queries/admin/reports/index.ts';
import { accountNamed } from './account-named.ts';
import { parseId } from './arguments.ts';
import { oneLine } from './one-line.ts';
import { asOperator, type Operator } from './operator.ts';
import { type Cell, confirm, printFacts, printTable } from './output.ts';

/** The states that `list` shows, with their filters. */
const STATES = { open: false, resolved: true, all: null } as const;
/** Characters of a comment that the list shows. */
const SHOWN = 60;

/** `rookery reports`: reports by users and by other servers. */
export function reportsCommand(): Command {
  const reports = new Command('reports').description('Read and resolve reports');
  reports
    .command('list')
    .description('Show the newest reports, 200 at most')
    .addOption(new Option('--state <state>', 'which ones').choices(Object.keys(STATES)).default('open'))
    .action(({ state }: { state: keyof typeof STATES }) => list(STATES[state]));
  reports
    .command('show')
    .description('Show a report: the account, the posts as they were reported, the notes of staff')
    .addArgument(reportId())
    .action((id: string) => asOperator((operator) => show(operator, id)));
  const deciding = (name: string, description: string, decide: ReportDecision): void => {
    reports
      .command(name)
      .description(description)
      .addArgument(reportId())
      .action((id: string) => asOperator((operator) => change(operator, id, decide)));
  };
  deciding('resolve', 'Mark a report as resolved', (state) => decideResolve(state, null));
  deciding('reopen', 'Open a resolved report again', (state, newId) => decideReopen(state, null, newId));
  deciding('unassign', 'Let somebody else of the staff handle a report', (state) =>
    decideUnassign(state, null),
  );
  reports
    .command('assign')
    .description('Let a member of the staff handle a report')
    .addArgument(reportId())
    .argument('<name>', 'of the member of staff')
    .action((id: string, name: string) => asOperator((operator) => assign(operator, id, name)));
  return reports;
}

const reportId = (): Argument => new Argument('<id>', 'of the report').argParser(parseId);

const list = (resolved: boolean | null): Promise<void> =>
  asOperator(async ({ app, catchUp }) => {
    await catchUp();
    const rows = (await newestReports(app.db, resolved)).map((row) => [
      ...[row.id, row.resolved ? 'resolved' : 'open', row.category, at(row.target), at(row.reporter)],
      ...[at(row.assigned), row.created_at, oneLine(row.comment, SHOWN)],
    ]);
    const head = ['ID', 'STATE', 'CATEGORY', 'ACCOUNT', 'REPORTER', 'HANDLED BY', 'FILED', 'COMMENT'];
    printTable(head, rows, { headless: true });
  });

const at = (acct: string | null | undefined): string => (acct == null ? '-' : `@${acct}`);

async function show({ ctx, catchUp }: Operator, id: string): Promise<void> {
  await catchUp();
  const report = parseJson(await adminReportText(ctx, id)) as AdminReport;
  const notes = await newestReportNotes(ctx.db, id);
  const about = report.target_account.account;
  const facts: (readonly [string, Cell])[] = [
    ['ID', report.id],
    ['STATE', report.action_taken ? `resolved ${report.action_taken_at}` : 'open'],
    ['CATEGORY', report.category],
    ['ACCOUNT', `@${about.acct} ${ctx.instance.origin}/@${about.acct}`],
    ['REPORTER', at(report.account.account.acct)],
    ['HANDLED BY', at(report.assigned_account?.account.acct)],
    ['FILED', report.created_at],
    ['COMMENT', oneLine(report.comment)],
    ...report.rules.map(({ text }) => ['RULE', oneLine(text)] as const),
    ...report.statuses.map(
      ({ id: post, url, content }) =>
        ['POST', `${post} ${url ?? '-'} ${oneLine(plainText(content))}`] as const,
    ),
    ...report.collection_ids.map((collection) => ['COLLECTION', collection] as const),
    ...notes.map(({ author, content }) => ['NOTE', `${at(author)}: ${oneLine(content)}`] as const),
  ];
  printFacts(facts);
}

async function assign(operator: Operator, id: string, name: string): Promise<void> {
  const staffId = await accountNamed(operator, name.replace(/^@/, ''));
  await operator.catchUp();
  const staff = await staffWhoMay(operator.app.db, 'manage_reports');
  if (!staff.some(({ account_id }) => account_id === staffId)) {
    throw new RookeryError('invalid', `@${name} may not manage reports`);
  }
  await change(operator, id, (state) => decideAssign(state, staffId));
}

async function change({ ctx, catchUp }: Operator, id: string, decide: ReportDecision): Promise<void> {
  await changeReport(ctx, id, decide);
  await catchUp();
  confirm();
}
