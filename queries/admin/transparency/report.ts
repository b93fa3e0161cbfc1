import { reportCategory } from '#events/reports.ts';
import type { TransparencyPeriod, TransparencyReport } from '#mastodon/schemas/index.ts';
import { GROUNDS, MEANS, MEASURE_KINDS, type PeriodKind, RESTRICTION_OF } from '#mastodon/transparency.ts';
import { appealsOf } from './appeals.ts';
import { isDecided, median, total } from './counting.ts';
import type { Facts, MeasureFact, ReportFact, ReversalFact } from './facts.ts';
import { periodOf, periodsIn, type Range } from './periods.ts';

/** Makes the report of a range from its facts; others are left out. Pure: the same facts give the same report. */
export function transparencyReport(facts: Facts, by: PeriodKind, range: Range): TransparencyReport {
  const byPeriod = <Fact extends { month: string }>(all: readonly Fact[]): ReadonlyMap<string, Fact[]> =>
    Map.groupBy(all, ({ month }) => periodOf(by, month));
  const measures = byPeriod(facts.measures);
  const reversals = byPeriod(facts.reversals);
  const reports = byPeriod(facts.reports);
  const appeals = byPeriod(facts.appeals);
  const periods = periodsIn(by, range).map((period) =>
    periodReport(period, {
      measures: measures.get(period) ?? [],
      reversals: reversals.get(period) ?? [],
      reports: reports.get(period) ?? [],
      appeals: appeals.get(period) ?? [],
    }),
  );
  return { by, ...range, periods };
}

const periodReport = (
  period: string,
  { measures, reversals, reports, appeals }: Facts,
): TransparencyPeriod => ({
  period,
  measures: measuresOf(measures),
  reversals: reversalsOf(reversals),
  reports: reportsOf(reports),
  appeals: appealsOf(appeals),
  totals: {
    measures: total(measures),
    automated: total(measures.filter(({ means }) => means === 'automated')),
    statements_of_reasons: total(measures.filter(({ reasoned }) => reasoned)),
    reversals: total(reversals),
    reports: total(reports),
    decided: total(reports.filter(isDecided)),
    median_seconds: median(reports),
  },
});

/** In a fixed order, without rows of nothing. */
const measuresOf = (facts: readonly MeasureFact[]): TransparencyPeriod['measures'] =>
  MEASURE_KINDS.flatMap((kind) =>
    GROUNDS.flatMap((ground) =>
      MEANS.flatMap((means) => {
        const these = facts.filter(
          (fact) => fact.kind === kind && fact.ground === ground && fact.means === means,
        );
        const statements_of_reasons = total(these.filter(({ reasoned }) => reasoned));
        const restriction = RESTRICTION_OF[kind];
        return these.length === 0
          ? []
          : [{ kind, restriction, ground, means, count: total(these), statements_of_reasons }];
      }),
    ),
  );

const reversalsOf = (facts: readonly ReversalFact[]): TransparencyPeriod['reversals'] =>
  MEASURE_KINDS.flatMap((kind) => {
    const these = facts.filter((fact) => fact.kind === kind);
    const by_appeal = total(these.filter(({ appealed }) => appealed));
    const automated = total(these.filter(({ means }) => means === 'automated'));
    return these.length === 0 ? [] : [{ kind, count: total(these), by_appeal, automated }];
  });

const reportsOf = (facts: readonly ReportFact[]): TransparencyPeriod['reports'] =>
  reportCategory.options.flatMap((category) => {
    const these = facts.filter((fact) => fact.category === category);
    return these.length === 0
      ? []
      : [
          {
            category,
            filed: total(these),
            decided: total(these.filter(isDecided)),
            with_measure: total(these.filter(({ with_measure }) => with_measure)),
            median_seconds: median(these),
          },
        ];
  });
