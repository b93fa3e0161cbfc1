import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { ALERT_NAMES, ALERTS } from '#mastodon/alerts.ts';
import type { AdminAlert } from '#mastodon/schemas/index.ts';
import { ALERTS_PAGE, hostPath, projectionPath, PROJECTIONS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';

/** `/admin/alerts`: what needs the operator now, and what did before. */
export const alertsPage = consolePage({
  path: ALERTS_PAGE,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { open, history, next } = await alertsOf(request);
    const parts = html`${openPart(open)} ${historyPart(history)}`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: 'Alerts',
      body: html`<div data-live>${parts}</div>
        ${olderLink(request, next)} ${meaningsPart}`,
    };
  },
});

async function alertsOf({
  api,
  query,
}: SignedInRequest): Promise<{
  open: AdminAlert[];
  history: AdminAlert[];
  next: Readonly<Record<string, string>> | undefined;
}> {
  const resolved = { max_id: placeIn(query).max_id, state: 'resolved' } as const;
  const [{ entity: open }, { entity: history, next }] = await Promise.all([
    api('GET v1/admin/alerts', { query: { state: 'open', limit: '200' } }),
    api('GET v1/admin/alerts', { query: resolved }),
  ]);
  return { open, history, next };
}

const openPart = (open: readonly AdminAlert[]): Html =>
  html`<section id="open-alerts">
    <h2>Open</h2>
    ${open.length === 0 ? emptyState({ icon: 'circle-check', text: 'No open alerts.' }) : open.map(openAlert)}
  </section>`;

const openAlert = (alert: AdminAlert): Html =>
  html`<article class="box trouble" id="alert-${alert.id}">
    <h3>${subjectLink(alert)}</h3>
    <p>${alert.detail}. ${ALERTS[alert.name].remedy}</p>
    ${factList([
      ['Raised', moment(alert.raised_at)],
      ['Acknowledged', acknowledgedBy(alert)],
      ['Note', alert.note !== null && alert.note !== '' && alert.note],
    ])}
    ${
      alert.acknowledged_at === null &&
      html`<div class="buttons">
        ${buttonLink(`${ALERTS_PAGE}/${alert.id}`, 'Acknowledge', { icon: 'check' })}
      </div>`
    }
  </article>`;

/** The page that shows the cause of an alert. */
const causeOf = ({ name, subject }: AdminAlert): string | undefined => {
  if (name === 'read_model_halted') return projectionPath(subject);
  if (name === 'read_model_lag') return PROJECTIONS;
  return name === 'deliveries_failing' ? hostPath(subject) : undefined;
};

function subjectLink(alert: AdminAlert): Part {
  const href = causeOf(alert);
  return href === undefined ? titleOf(alert) : html`<a href="${href}">${titleOf(alert)}</a>`;
}

export const titleOf = ({ name, subject }: Pick<AdminAlert, 'name' | 'subject'>): string =>
  subject === '' ? ALERTS[name].title : `${ALERTS[name].title}: ${subject}`;

export function acknowledgedBy({ acknowledged_at, acknowledged_by: by }: AdminAlert): Part {
  if (acknowledged_at === null) return false;
  const name = by === null ? 'the operator' : by.username === null ? `account ${by.id}` : `@${by.username}`;
  return html`${moment(acknowledged_at)} by ${name}`;
}

const HISTORY = [
  { title: 'Alert' },
  { title: 'State' },
  { title: 'Raised' },
  { title: 'Acknowledged' },
  { title: 'Resolved' },
];

const historyPart = (history: readonly AdminAlert[]): Html =>
  html`<section id="past-alerts">
    <h2>Resolved</h2>
    ${
      history.length === 0
        ? html`<p class="quiet">No alert was resolved in the last 90 days.</p>`
        : dataTable(
            HISTORY,
            history.map((alert) => ({
              cells: [
                html`<a href="${ALERTS_PAGE}/${alert.id}">${titleOf(alert)}</a>`,
                stateBadge('Resolved', 'good'),
                moment(alert.raised_at),
                acknowledgedBy(alert) || '',
                alert.resolved_at === null ? '' : moment(alert.resolved_at),
              ],
            })),
            { caption: 'Resolved alerts, the newest first' },
          )
    }
  </section>`;

const meaningsPart = html`<section class="box">
  <h2>Conditions</h2>
  ${factList(ALERT_NAMES.map((name) => [name, ALERTS[name].meaning] as const))}
  <p class="quiet">
    The server checks these every half minute. In <code>/metrics</code> each of them is
    <code>alert_</code> with its name; the folder <code>ops</code> of the source has rules for Prometheus and
    a dashboard for Grafana with the same names.
  </p>
</section>`;
