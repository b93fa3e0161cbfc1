import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { recordExport } from '#commands/admin/audit/index.ts';
import { userRole } from '#events/accounts.ts';
import { AUDIT_FORMATS } from '#events/audit.ts';
import { RookeryError } from '#kernel/errors.ts';
import { AUDIT_ACTIONS, AUDIT_ACTORS } from '#mastodon/audit-log.ts';
import { csvLine } from '#mastodon/csv.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import {
  auditEntries,
  auditLines,
  auditStatistics,
  parseAuditFilter,
  parseMonths,
} from '#queries/admin/audit/index.ts';
import { parseId } from './arguments.ts';
import { addCase } from './audit-case.ts';
import { addReport } from './audit-report.ts';
import { asOperator, type Operator } from './operator.ts';
import { isJson, printTable } from './output.ts';

/** `rookery audit`: the actions of staff, the operator and automations. */
export function auditCommand(): Command {
  const audit = new Command('audit').description('Look after the history of what staff did');
  audit
    .command('export')
    .description('Write the history to standard output, oldest first; the export itself is the last line')
    .addOption(
      new Option('--format <format>', 'a JSON text per line, or a table')
        .choices(AUDIT_FORMATS)
        .default('ndjson'),
    )
    .option('--from <time>', 'from this time on, such as 2026-12-01T20:00Z; a day begins at 00:00 UTC')
    .option('--until <time>', 'before this time')
    .addOption(new Option('--action <names...>', 'only these actions').choices(AUDIT_ACTIONS))
    .addOption(new Option('--actor-kind <kinds...>', 'only what such actors did').choices(AUDIT_ACTORS))
    .addOption(
      new Option('--role <roles...>', 'only what staff with such a role did').choices(userRole.options),
    )
    .option('--actor <acct>', 'only what this account did')
    .option('--target <acct>', 'only what was done to this account')
    .option('--domain <domain>', 'only what was done to this server, or to accounts there')
    .option('--application-id <id>', 'only what was done with this app', parseId)
    .option('--status <id>', 'only what was done about this post', parseId)
    .option('--report <id>', 'only what was done about this report', parseId)
    .option('--after <id>', 'go on after this entry, which an earlier export ended with', parseId)
    .action((options: ExportOptions) => asOperator((operator) => exportAudit(operator, options)));
  audit
    .command('statistics')
    .description('Count by month (UTC) what was done and reported, the newest month first, as a CSV table')
    .option('--from <month>', 'from this month on, such as 2026-01; unless told, the last twelve')
    .option('--until <month>', 'up to this month')
    .action((months: Record<string, string>) => asOperator((operator) => printStatistics(operator, months)));
  addReport(audit);
  addCase(audit);
  return audit;
}

async function printStatistics({ app, catchUp }: Operator, given: Record<string, string>): Promise<void> {
  await catchUp();
  const months = await auditStatistics(app.db, parseMonths(given));
  const rows = months.flatMap(({ month, entries, reports }) => [
    ...entries.map(({ action, actor_kind, count }) => [month, action, actor_kind, '', String(count)]),
    ...reports.map(({ category, count }) => [month, 'report.created', '', category, String(count)]),
  ]);
  const head = ['month', 'action', 'actor_kind', 'category', 'count'];
  if (isJson()) printTable(head, rows);
  else process.stdout.write([head, ...rows].map(csvLine).join(''));
}

interface ExportOptions {
  format: (typeof AUDIT_FORMATS)[number];
  from?: string;
  until?: string;
  action?: string[];
  actorKind?: string[];
  role?: string[];
  actor?: string;
  target?: string;
  domain?: string;
  applicationId?: string;
  status?: string;
  report?: string;
  after?: string;
}

async function exportAudit({ app, ctx, catchUp }: Operator, options: ExportOptions): Promise<void> {
  await catchUp();
  const { format, after = '0', actorKind, applicationId, actor, target, ...plain } = options;
  const given: Given = {
    ...plain,
    ...(actorKind ? { actor_kind: actorKind } : {}),
    ...(applicationId === undefined ? {} : { application_id: applicationId }),
    ...(await accountIds({ app, ctx }, { actor, target })),
  };
  const filter = parseAuditFilter(given);
  await recordExport(ctx, { format, filter: named({ ...given, after }) });
  await catchUp();
  const entries = auditEntries(app.db, filter, after);
  // Written at the speed of reading.
  await pipeline(auditLines[format](entries), process.stdout, { end: false });
}

/** @throws RookeryError `not_found` */
async function accountIds(
  { app, ctx }: Pick<Operator, 'app' | 'ctx'>,
  handles: Record<string, string | undefined>,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [name, handle] of Object.entries(handles)) {
    if (handle === undefined) continue;
    const id = await accountIdOfHandle(app.db, ctx.instance, handle);
    if (id === undefined) throw new RookeryError('not_found', `There is no account ${handle}`);
    ids[name] = id;
  }
  return ids;
}

/** The filter, under the names of the API. */
type Given = Record<string, string | readonly string[]>;

/** Texts, for the record of the export. */
const named = (given: Given): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(',')]),
  );
