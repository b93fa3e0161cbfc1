import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { catalogue } from '#events/index.ts';
import type { TransparencyReport } from '#mastodon/schemas/index.ts';
import { PERIODS } from '#mastodon/transparency.ts';
import { exportedEvents } from '#operations/transparency-log/index.ts';
import { parseGiven } from '#queries/admin/audit/index.ts';
import {
  factsOfLog,
  rangeOf,
  REPORTED_TYPES,
  storedReport,
  transparencyCsv,
  transparencyQuery,
  transparencyReport,
} from '#queries/admin/transparency/index.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { asOperator } from './operator.ts';

interface ReportOptions {
  file?: string;
  by: string;
  from?: string;
  until?: string;
  format: 'csv' | 'json';
}

/** Adds `rookery audit report`: the transparency report of this server, or of an export of its log. */
export function addReport(audit: Command): void {
  audit
    .command('report')
    .description('Print a transparency report: sanctions, reports and appeals by the Digital Services Act')
    .option('--file <path>', 'of this export of a log (rookery log export), without its database')
    .addOption(new Option('--by <period>', 'the length of a period').choices(PERIODS).default('month'))
    .option('--from <month>', 'from the period of this month on, such as 2026-01')
    .option('--until <month>', 'up to the period of this month; of an export, that of its last event')
    .addOption(new Option('--format <format>', 'a table, or JSON').choices(['csv', 'json']).default('csv'))
    .action(async ({ file, format, ...given }: ReportOptions) => {
      const asked = parseGiven(transparencyQuery, given);
      if (file !== undefined) return print(await exportedReport(file, asked), format);
      return asOperator(async ({ app, catchUp }) => {
        await catchUp();
        print(await storedReport(app.db, asked), format);
      });
    });
}

type Asked = z.output<typeof transparencyQuery>;

function print(report: TransparencyReport, format: ReportOptions['format']): void {
  process.stdout.write(format === 'csv' ? transparencyCsv(report) : `${JSON.stringify(report, null, 2)}\n`);
}

/** Without the keys of its server: personal texts stay encrypted, and no number depends on them. */
const NO_KEYS = {
  keyFor: () => Promise.reject(new Error('An export is only read')),
  load: () => Promise.resolve(new Map()),
};

/** Makes the same report from an export of the log. @throws RookeryError `invalid` for text that is no export */
async function exportedReport(file: string, { by, ...given }: Asked): Promise<TransparencyReport> {
  const codec = createCodec(catalogue, NO_KEYS);
  const log = factsOfLog();
  let last = '';
  for await (const stored of exportedEvents(file)) {
    last = stored.metadata;
    const reported = REPORTED_TYPES.has(stored.type) ? [stored] : [];
    for (const event of await codec.decode(reported)) log.take(event);
  }
  const { time } = JSON.parse(last) as { time: string };
  return transparencyReport(log.facts(), by, rangeOf(by, given, time));
}
