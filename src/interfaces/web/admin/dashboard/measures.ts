import { lineChart } from '#interfaces/web/design/charts.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminMeasure } from '#mastodon/schemas/index.ts';

/** The measures of this server, by their key in the API. */
const TITLES = {
  new_users: 'New users',
  active_users: 'Active users',
  interactions: 'Interactions',
  opened_reports: 'Reports filed',
  resolved_reports: 'Reports resolved',
};
/** The measures that the dashboard shows. */
export const DASHBOARD_MEASURES = Object.keys(TITLES) as (keyof typeof TITLES)[];
const titles: Readonly<Record<string, string>> = TITLES;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Renders each measure as a total, its change, and a line by day. */
export const measureCharts = (measures: readonly AdminMeasure[], days: number): Html =>
  html`<div class="cards wide">
    ${measures.map(
      (measure) =>
        html`<section class="box">
          <h3>${titleOf(measure)}</h3>
          <p class="figure-card">
            <strong>${numberText(Number(measure.total))}</strong>
            <span class="change">${changeOf(measure, days)}</span>
          </p>
          ${lineChart(
            measure.data.map(({ date, value }) => ({
              label: DAY.format(new Date(date)),
              value: Number(value),
            })),
            { title: `${titleOf(measure)} by day`, columns: ['Day', titleOf(measure)], whole: true },
          )}
        </section>`,
    )}
  </div>`;

const titleOf = ({ key }: AdminMeasure): string => titles[key] ?? key;

/** Returns how a total differs from that of the period before. */
function changeOf({ total, previous_total: previous = '0' }: AdminMeasure, days: number): string {
  const difference = Number(total) - Number(previous);
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  return `${sign}${numberText(Math.abs(difference))} against the ${days} days before`;
}
