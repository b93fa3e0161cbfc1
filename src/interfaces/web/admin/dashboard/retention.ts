import { dataTable } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import type { AdminCohort } from '#mastodon/schemas/index.ts';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent' });
/** Shades of a rate, from none to all. */
const SHADES = 5;

/** Renders, for the users of each month, how many were active in that month and the following ones. */
export function retentionTable(cohorts: readonly AdminCohort[]): Html {
  const longest = Math.max(0, ...cohorts.map(({ data }) => data.length));
  const columns = [
    { title: 'Signed up in' },
    { title: 'Users', number: true },
    ...Array.from({ length: longest }, (_, index) => ({ title: monthTitle(index), number: true })),
  ];
  return html`<p class="quiet">
      Of the users who signed up in a month, how many were active in that first month and in later ones.
    </p>
    ${dataTable(
      columns,
      cohorts.map(({ period, data }) => ({
        cells: [
          MONTH.format(new Date(period)),
          sizeOf(data),
          ...Array.from({ length: longest }, (_, index) => cellOf(data[index])),
        ],
      })),
      { caption: 'Retention by month of sign-up' },
    )}`;
}

const monthTitle = (months: number): string => `Month ${months + 1}`;

/** The number of users follows from any rate that is not zero. */
function sizeOf(data: AdminCohort['data']): string {
  const active = data.find(({ rate }) => rate > 0);
  return active ? String(Math.round(Number(active.value) / active.rate)) : '0';
}

const cellOf = (cell: AdminCohort['data'][number] | undefined): Part =>
  cell === undefined
    ? html`<span class="quiet">–</span>`
    : html`<span class="rate shade-${Math.round(cell.rate * SHADES)}">${PERCENT.format(cell.rate)}</span>`;
