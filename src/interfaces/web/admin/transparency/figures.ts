import { barChart, type Point } from '#interfaces/web/design/charts.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { numberText, tenthsText } from '#kernel/quantities.ts';
import type { TransparencyPeriod } from '#mastodon/schemas/index.ts';
import { medianText, periodLabel, periodText } from './words.ts';

/** Renders the figures of a period. */
export const figures = ({ period, totals }: TransparencyPeriod): Html =>
  html`<div class="cards" role="group" aria-label="${periodText(period)} in figures">
    ${figure(numberText(totals.measures), 'sanctions', `${totals.automated} of them automated`)}
    ${figure(numberText(totals.reversals), 'reversals', `${totals.statements_of_reasons} sanctions with reasons given`)}
    ${figure(numberText(totals.reports), 'reports', `${totals.decided} of them decided`)}
    ${figure(medianText(totals.median_seconds), 'to a decision', 'median of all reports')}
  </div>`;

const figure = (value: string, name: string, more: string): Html =>
  html`<p class="box figure-card"><strong>${value}</strong> ${name} <span class="change">${more}</span></p>`;

/** Renders how the figures changed, the oldest period first. */
export function charts(periods: readonly TransparencyPeriod[]): Html {
  const points = (value: (period: TransparencyPeriod) => number | null): Point[] =>
    periods.toReversed().map((each) => ({ label: periodLabel(each.period), value: value(each) }));
  return html`<div class="cards charts">
    <section class="box">
      <h2>Sanctions</h2>
      ${barChart(
        points(({ totals }) => totals.measures),
        { title: 'Sanctions by period', columns: ['Period', 'Sanctions'] },
      )}
    </section>
    <section class="box">
      <h2>Reports</h2>
      ${barChart(
        points(({ totals }) => totals.reports),
        { title: 'Reports by period', columns: ['Period', 'Reports'] },
      )}
    </section>
    <section class="box">
      <h2>Hours to a decision</h2>
      ${barChart(
        points(({ totals }) => totals.median_seconds && totals.median_seconds / 3_600),
        { title: 'Median hours to a decision by period', columns: ['Period', 'Hours'], format: tenthsText },
      )}
    </section>
    <section class="box">
      <h2>Appeals</h2>
      ${barChart(
        points(({ appeals }) => appeals.filed),
        { title: 'Appeals by period', columns: ['Period', 'Appeals'] },
      )}
    </section>
  </div>`;
}
