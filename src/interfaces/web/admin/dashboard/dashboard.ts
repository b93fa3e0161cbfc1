import { tabs } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { consolePage } from '../console-page.ts';
import { ifReadable, stateFor } from '../counts.ts';
import { dimensionCharts } from './dimensions.ts';
import { DASHBOARD_MEASURES, measureCharts } from './measures.ts';
import { retentionTable } from './retention.ts';
import { troubleBox } from './trouble.ts';
import { waitingCards } from './waiting.ts';

const DASHBOARD = '/admin';
const PERIODS = [30, 7, 90] as const;
const USUAL = PERIODS[0];
const DAY = 86_400_000;
const DIMENSIONS = ['languages', 'sources', 'servers'] as const;
/** Months of sign-ups. */
const MONTHS = 6;
const ITEMS = 8;

/** Shows present failures, the things that wait for staff, and the figures of the server. */
export const dashboardPage = consolePage({
  path: DASHBOARD,
  permission: 'view_dashboard',
  show: async (request) => {
    const days = PERIODS.find((each) => String(each) === request.query.get('days')) ?? USUAL;
    const { trouble, waiting, measures, dimensions, cohorts } = await facts(request, days);
    const hrefOf = (each: number): string => (each === USUAL ? DASHBOARD : `${DASHBOARD}?days=${each}`);
    return {
      title: 'Dashboard',
      body: html`${trouble && troubleBox(trouble)}
        <h2>Needs attention</h2>
        ${waiting ? waitingCards(waiting) : UNREADABLE}
        <h2>The last ${days} days</h2>
        ${tabs(
          'Period',
          PERIODS.toSorted((one, other) => one - other).map((each) => ({
            href: hrefOf(each),
            text: `${each} days`,
          })),
          hrefOf(days),
        )}
        ${measures ? measureCharts(measures, days) : UNREADABLE}
        <h2>Most common</h2>
        ${dimensions ? dimensionCharts(dimensions) : UNREADABLE}
        <h2>Retention</h2>
        ${cohorts ? retentionTable(cohorts) : UNREADABLE}`,
    };
  },
});

async function facts(request: SignedInRequest, days: number) {
  const { api, ctx } = request;
  const today = ctx.now.slice(0, 10);
  const start_at = new Date(Date.parse(today) - (days - 1) * DAY).toISOString().slice(0, 10);
  const period = { start_at, end_at: today };
  const state = stateFor(request);
  const since = monthsBefore(today, MONTHS - 1);
  const [trouble, waiting, measures, dimensions, cohorts] = await Promise.all([
    state.trouble,
    state.waiting,
    ifReadable(api('POST v1/admin/measures', { body: { ...period, keys: DASHBOARD_MEASURES } })),
    ifReadable(api('POST v1/admin/dimensions', { body: { ...period, keys: DIMENSIONS, limit: ITEMS } })),
    ifReadable(
      api('POST v1/admin/retention', { body: { start_at: since, end_at: today, frequency: 'month' } }),
    ),
  ]);
  return { trouble, waiting, measures, dimensions, cohorts };
}

const UNREADABLE = html`<p class="quiet">
  This cannot be read now: a projection that it needs is halted or late.
</p>`;

/** Returns the first day of the month that many months before. */
const monthsBefore = (day: string, months: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - months, 1))
    .toISOString()
    .slice(0, 10);
