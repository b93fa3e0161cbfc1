import { csvLine } from '#mastodon/csv.ts';
import type { TransparencyPeriod, TransparencyReport } from '#mastodon/schemas/index.ts';

const HEAD = [
  ...['period', 'section', 'kind', 'restriction', 'ground', 'means', 'count'],
  ...['statements_of_reasons', 'decided', 'with_measure', 'by_appeal', 'automated', 'median_seconds'],
  ...['role', 'kept', 'overturned'],
] as const;

type Cells = Partial<Record<(typeof HEAD)[number], string | number | null>>;

/** Returns a report as one table; the column `section` says what a line counts. */
export const transparencyCsv = ({ periods }: TransparencyReport): string =>
  [
    HEAD,
    ...periods.flatMap((period) => linesOf(period).map((cells) => HEAD.map((name) => textOf(cells[name])))),
  ]
    .map(csvLine)
    .join('');

const textOf = (value: string | number | null | undefined): string =>
  value === null ? '' : String(value ?? '');

function linesOf({ period, measures, reversals, reports, appeals }: TransparencyPeriod): Cells[] {
  const { filed, median_seconds, by_ground, by_group, ...outcomes } = appeals;
  return [
    ...measures.map((line) => ({ period, section: 'measures', ...line })),
    ...reversals.map((line) => ({ period, section: 'reversals', ...line })),
    ...reports.map(({ category, filed: count, ...line }) => ({
      period,
      section: 'reports',
      kind: category,
      count,
      ...line,
    })),
    { period, section: 'appeals', kind: 'filed', count: filed, median_seconds },
    ...Object.entries(outcomes).map(([kind, count]) => ({ period, section: 'appeals', kind, count })),
    ...by_ground.map(({ filed: count, ...line }) => ({
      period,
      section: 'appeals_by_ground',
      count,
      ...line,
    })),
    ...by_group.map(({ group: kind, filed: count, ...line }) => ({
      period,
      section: 'appeals_by_group',
      kind,
      count,
      ...line,
    })),
  ];
}
