import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { numberText, sizeText } from '#kernel/quantities.ts';
import type { AdminProjection, AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { projectionPath, PROJECTIONS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { runTable } from './runs.ts';
import { lagEvents, needsRebuild, projectionState, rateText, secondsText } from './words.ts';

const COLUMNS = [
  { title: 'Name' },
  { title: 'State' },
  { title: 'Group', minor: true },
  { title: 'Version', number: true, minor: true },
  { title: 'Position', number: true, minor: true },
  { title: 'Behind', number: true },
  { title: 'Lag', number: true },
  { title: 'Events/s', number: true, minor: true },
  { title: 'Size', number: true },
];

/** All read models, those in trouble first, and the newest builds. */
export const projectionsPage = consolePage({
  path: PROJECTIONS,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { models, runs } = await everything(request);
    const parts = html`${summary(models)} ${table(models, runs)} ${builds(runs)}`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: 'Projections',
      body: html`<p class="quiet" data-live>
          Projections turn the event log into the tables that pages and apps read. Each can be rebuilt from
          the log at any time, while the server runs.
        </p>
        ${parts}`,
    };
  },
});

async function everything({ api }: SignedInRequest) {
  const [models, runs] = await Promise.all([
    api('GET v1/admin/projections'),
    api('GET v1/admin/projections/runs', { query: { limit: '10' } }),
  ]);
  return { models: models.entity, runs: runs.entity };
}

const isInTrouble = (model: AdminProjection): boolean => model.state !== 'following' || needsRebuild(model);

function summary(models: readonly AdminProjection[]): Html {
  const halted = models.filter(({ state }) => state === 'halted' || state === 'stopped').length;
  const furthest = Math.max(0, ...models.map(({ lag }) => lag.events ?? 0));
  const size = models.reduce((sum, { bytes }) => sum + bytes, 0);
  return html`<div class="cards" id="projection-figures">
    ${figure(numberText(models.length), 'projections')}
    ${figure(numberText(halted), halted === 0 ? 'halted' : 'halted: open it to see why')}
    ${figure(numberText(furthest), furthest === 1 ? 'event behind, at most' : 'events behind, at most')}
    ${figure(sizeText(size), 'of tables')}
  </div>`;
}

const figure = (value: string, text: string): Html =>
  html`<div class="box figure-card"><strong>${value}</strong> ${text}</div>`;

function table(models: readonly AdminProjection[], runs: readonly AdminProjectionRun[]): Html {
  const sorted = models.toSorted((a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a)));
  const building = new Set(runs.filter(({ state }) => state === 'running').map(({ name }) => name));
  const rows = sorted.map((each) => ({
    cells: [
      html`<a href="${projectionPath(each.name)}">${each.name}</a>`,
      projectionState(each, building.has(each.name)),
      each.group,
      each.version,
      each.position,
      lagEvents(each.lag),
      secondsText(each.lag.seconds),
      rateText(each.events_per_second),
      sizeText(each.bytes),
    ],
  }));
  return dataTable(COLUMNS, rows, { caption: 'All projections', id: 'projections' });
}

const builds = (runs: readonly AdminProjectionRun[]): Html =>
  html`<section id="projection-runs">
    <h2>Rebuilds and verifications</h2>
    ${runs.length === 0 ? emptyState({ icon: 'history', text: 'None was started yet.' }) : runTable(runs)}
  </section>`;
