import type { TransparencyPeriod } from '../../../../mastodon/schemas/index.ts';
import { dataTable, type Row } from '../../design/data-table.ts';
import { html, type Html } from '../../design/html.ts';
import { CATEGORIES, durationText, GROUNDS, KINDS, MEANS, periodText, RESTRICTIONS } from './words.ts';

/** Renders everything about one period. */
export const periodDetails = ({
  period,
  measures,
  reversals,
  reports,
  appeals,
}: TransparencyPeriod): Html => html`
  <h2>${periodText(period)}</h2>
  <h3>Measures, by kind and ground <span class="quiet">(Articles 15(1)(c), (e) and 17)</span></h3>
  ${orNothing(
    measures.map(({ kind, restriction, ground, means, count, statements_of_reasons }) => ({
      cells: [
        KINDS[kind],
        RESTRICTIONS[restriction],
        GROUNDS[ground],
        MEANS[means],
        count,
        statements_of_reasons,
      ],
    })),
    [
      { title: 'Measure' },
      { title: 'Restricts' },
      { title: 'Ground' },
      { title: 'Means' },
      { title: 'Number', number: true },
      { title: 'With reasons given', number: true },
    ],
    'No measures were taken.',
  )}
  <h3>Reversals</h3>
  ${orNothing(
    reversals.map(({ kind, count, by_appeal, automated }) => ({
      cells: [KINDS[kind], count, by_appeal, automated],
    })),
    [
      { title: 'Measure that ended' },
      { title: 'Number', number: true },
      { title: 'By an appeal', number: true },
      { title: 'Automated', number: true },
    ],
    'No measure was reversed.',
  )}
  <h3>Reports <span class="quiet">(Articles 15(1)(b) and 16)</span></h3>
  ${orNothing(
    reports.map(({ category, filed, decided, with_measure, median_seconds }) => ({
      cells: [CATEGORIES[category], filed, decided, with_measure, durationText(median_seconds)],
    })),
    [
      { title: 'Category' },
      { title: 'Filed', number: true },
      { title: 'Decided', number: true },
      { title: 'Led to a measure', number: true },
      { title: 'Median time to decision', number: true },
    ],
    'No reports were filed.',
  )}
  <h3>Appeals <span class="quiet">(Articles 15(1)(d) and 20)</span></h3>
  ${orNothing(
    appeals.filed === 0
      ? []
      : [
          {
            cells: [
              appeals.filed,
              appeals.approved,
              appeals.rejected,
              appeals.withdrawn,
              appeals.pending,
              durationText(appeals.median_seconds),
            ],
          },
        ],
    [
      { title: 'Filed', number: true },
      { title: 'Approved', number: true },
      { title: 'Rejected', number: true },
      { title: 'Withdrawn', number: true },
      { title: 'Waiting', number: true },
      { title: 'Median time to decision', number: true },
    ],
    'No appeals were filed.',
  )}
`;

const orNothing = (rows: readonly Row[], columns: Parameters<typeof dataTable>[0], nothing: string): Html =>
  rows.length === 0 ? html`<p class="quiet">${nothing}</p>` : dataTable(columns, rows);
