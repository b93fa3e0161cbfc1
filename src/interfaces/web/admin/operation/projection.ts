import { lineChart } from '#interfaces/web/design/charts.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable, factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { numberText, sizeText } from '#kernel/quantities.ts';
import type { AdminProjection, AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { projectionPath, PROJECTIONS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { haltedBox, lackingBox, otherCodeBox } from './halted.ts';
import { runBox, runTable } from './runs.ts';
import { lagText, lastTry, projectionState, rateText, secondsText } from './words.ts';

/** One read model: its state, what halted it, its builds, its tables. */
export const projectionPage = consolePage({
  path: `${PROJECTIONS}/:name`,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { model, runs } = await everything(request);
    const parts = partsOf(model, runs);
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: model.name,
      back: [PROJECTIONS, 'All projections'],
      body: html`<div data-live hidden></div>
        ${parts} ${model.skipped.length > 0 && skipped(model)}`,
    };
  },
});

async function everything({ api, params }: SignedInRequest<{ name: string }>) {
  const { name } = params;
  const [model, runs] = await Promise.all([
    api('GET v1/admin/projections/:name', { params: { name } }),
    api('GET v1/admin/projections/runs', { query: { name, limit: '10' } }),
  ]);
  return { model: model.entity, runs: runs.entity };
}

/** Everything that changes while the page is open. */
const partsOf = (model: AdminProjection, runs: readonly AdminProjectionRun[]): Html =>
  html`<div id="projection-trouble">${haltedBox(model)} ${lackingBox(model)} ${otherCodeBox(model)}</div>
    <div id="projection-state">${state(model, runs)}</div>
    <div id="projection-run">${runs[0] && runBox(runs[0])}</div>
    <div id="projection-rates">${rates(model)}</div>
    <div id="projection-tables">${tables(model)}</div>
    <div id="projection-runs">
      ${
        runs.length > 1 &&
        html`<h2>Earlier rebuilds and verifications</h2>
          ${runTable(runs.slice(1))}`
      }
    </div>`;

function state(model: AdminProjection, runs: readonly AdminProjectionRun[]): Html {
  const isBuilding = runs.some((run) => run.state === 'running');
  const path = projectionPath(model.name);
  return html`<section class="box">
    <h2 class="hush">State</h2>
    ${factList([
      ['State', projectionState(model, isBuilding)],
      ['Group', model.group],
      ['Version', model.version],
      ['Position', model.position],
      ['Behind', lagText(model.lag)],
      ['Events a second', rateText(model.events_per_second)],
      ['Size of tables', sizeText(model.bytes)],
      ['Last retry', model.failure === null && lastTry(model)],
      ['Last built', model.built_at === null ? 'unknown' : moment(model.built_at)],
      ['Last build took', secondsText(model.build_seconds)],
    ])}
    <div class="buttons">
      ${buttonLink(`${path}/rebuild`, 'Rebuild', { icon: 'refresh-cw' })}
      ${buttonLink(`${path}/verify`, 'Verify', { look: 'plain', icon: 'scale' })}
    </div>
  </section>`;
}

function rates({ rates: minutes = [] }: AdminProjection): Html {
  const points = minutes.map(({ at, events_per_second }) => ({
    label: at.slice(11, 16),
    value: events_per_second,
  }));
  return html`<section class="box">
    <h2>Events a second in the last hour</h2>
    ${
      points.length < 2
        ? html`<p>The chart appears two minutes after the start of the server.</p>`
        : lineChart(points, {
            title: 'Events a second in the last hour',
            columns: ['Time (UTC)', 'Events a second'],
            format: rateText,
          })
    }
  </section>`;
}

const tables = ({ tables: all = [] }: AdminProjection): Html =>
  html`<h2>Tables</h2>
    ${dataTable(
      [{ title: 'Table' }, { title: 'Rows (estimate)', number: true }, { title: 'Size', number: true }],
      all.map(({ name, rows, bytes }) => ({ cells: [name, numberText(rows), sizeText(bytes)] })),
      { caption: 'Tables' },
    )}`;

const skipped = ({ name, skipped: events }: AdminProjection): Html =>
  html`<h2>Skipped events</h2>
    ${dataTable(
      [{ title: 'Position' }, { title: 'Event' }, { title: 'Since' }, { title: 'Reason' }, { title: 'Undo' }],
      events.map(({ position, event_type, skipped_at, reason }) => ({
        cells: [
          position,
          event_type,
          moment(skipped_at),
          reason,
          html`<a href="${projectionPath(name)}/unskip?position=${position}">Process it again</a>`,
        ],
      })),
      { caption: 'Skipped events' },
    )}`;
