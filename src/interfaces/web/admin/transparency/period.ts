import { dataTable, type Row } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { TransparencyPeriod } from '#mastodon/schemas/index.ts';
import { CATEGORIES } from '../moderation/words.ts';
import {
  GROUNDS,
  GROUPS,
  hoursText,
  KINDS,
  MEANS,
  medianText,
  MERGED,
  periodText,
  RESTRICTIONS,
} from './words.ts';

/** Renders everything about one period. */
export const periodDetails = (period: TransparencyPeriod): Html =>
  html`<h2>${periodText(period.period)}</h2>
    ${sanctionsTable(period)} ${reversalsTable(period)} ${reportsTable(period)} ${appealsTable(period)}
    ${appealsByGround(period)} ${appealsByGroup(period)}`;

const sanctionsTable = ({ measures }: TransparencyPeriod): Html =>
  html`<h3>Sanctions by kind and ground <span class="quiet">(Articles 15(1)(c), (e) and 17)</span></h3>
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
      ['Sanction', 'Restricts', 'Ground', 'Means'],
      ['Number', 'With reasons given'],
      'No sanctions were imposed.',
    )}`;

const reversalsTable = ({ reversals }: TransparencyPeriod): Html =>
  html`<h3>Reversals</h3>
    ${orNothing(
      reversals.map(({ kind, count, by_appeal, automated }) => ({
        cells: [KINDS[kind], count, by_appeal, automated],
      })),
      ['Sanction that ended'],
      ['Number', 'By an appeal', 'Automated'],
      'No sanction was reversed.',
    )}`;

const reportsTable = ({ reports }: TransparencyPeriod): Html =>
  html`<h3>Reports <span class="quiet">(Articles 15(1)(b) and 16)</span></h3>
    ${orNothing(
      reports.map(({ category, filed, decided, with_measure, median_seconds }) => ({
        cells: [CATEGORIES[category], filed, decided, with_measure, medianText(median_seconds)],
      })),
      ['Category'],
      ['Filed', 'Decided', 'Led to a sanction', 'Median time to decision'],
      'No reports were filed.',
    )}`;

const appealsTable = ({ appeals }: TransparencyPeriod): Html => {
  const { filed, approved, rejected, withdrawn, pending, median_seconds } = appeals;
  return html`<h3>Appeals <span class="quiet">(Articles 15(1)(d) and 20)</span></h3>
    ${orNothing(
      filed === 0
        ? []
        : [{ cells: ['All', filed, approved, rejected, withdrawn, pending, medianText(median_seconds)] }],
      ['Appeals'],
      ['Filed', 'Approved', 'Rejected', 'Withdrawn', 'Waiting', 'Median time to decision'],
      'No appeals were filed.',
    )}`;
};

type Outcome = Omit<TransparencyPeriod['appeals']['by_ground'][number], 'ground'>;

const cellsOf = ({ filed, kept, overturned, median_seconds }: Outcome) => [
  filed,
  kept,
  overturned,
  hoursText(median_seconds),
];
const OUTCOMES = ['Appeals', 'Kept', 'Overturned', 'Median hours to decision'];

const appealsByGround = ({ appeals }: TransparencyPeriod): Html =>
  html`<h3>Appeals by ground of the decision</h3>
    ${orNothing(
      appeals.by_ground.map(({ ground, ...outcome }) => ({
        cells: [ground === 'merged' ? MERGED : GROUNDS[ground], ...cellsOf(outcome)],
      })),
      ['Ground'],
      OUTCOMES,
      'No appeals were filed.',
    )}`;

const appealsByGroup = ({ appeals }: TransparencyPeriod): Html =>
  html`<h3>Appeals by role of the moderator who decided</h3>
    ${orNothing(
      appeals.by_group.map(({ group, role, ...outcome }) => ({
        cells: [group === 'role' ? (role ?? 'No role') : GROUPS[group], ...cellsOf(outcome)],
      })),
      ['Role'],
      OUTCOMES,
      'No appeals were filed.',
    )}`;

function orNothing(
  rows: readonly Row[],
  texts: readonly string[],
  numbers: readonly string[],
  nothing: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${nothing}</p>`;
  const columns = [
    ...texts.map((title) => ({ title })),
    ...numbers.map((title) => ({ title, number: true })),
  ];
  return dataTable(columns, rows);
}
