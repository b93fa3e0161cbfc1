import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { ago } from '#interfaces/web/entities/texts.ts';
import { numberText, sizeText } from '#kernel/quantities.ts';
import type { AdminHealth } from '#mastodon/schemas/index.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { secondsText } from '../operation/words.ts';

const STATES = {
  ok: stateBadge('Good', 'good'),
  warning: stateBadge('Warning', 'busy'),
  broken: stateBadge('Broken', 'bad'),
  altered: stateBadge('Altered', 'bad'),
} as const;

/** Trouble comes first. */
const ORDER = Object.keys(STATES).toReversed();

/** `/admin/health`: the parts below the server, their room and versions, and the last backups. */
export const healthPage = consolePage({
  path: '/admin/health',
  permission: 'view_devops',
  live: true,
  show: async ({ api, ctx, wantsFragment }) => {
    const { entity } = await api('GET v1/admin/health');
    const parts = html`${partsOf(entity)} ${roomOf(entity)}`;
    if (wantsFragment) return { fragment: parts };
    return {
      title: 'Health',
      actions: buttonLink('/admin/health', 'Refresh', { look: 'plain', icon: 'refresh-cw' }),
      body: html`<div data-live>${parts}</div>
        ${versionsOf(entity)} ${backupsOf(entity, ctx.now)}`,
    };
  },
});

const NAMES: Readonly<Record<string, string>> = {
  log: 'Event log',
  projections: 'Projections',
  reactors: 'Reactors',
  proofs: 'Proofs of the log',
  damage: 'Damaged events',
  tokens: 'Access tokens',
  deliveries: 'Deliveries',
  disk: 'Disk',
  database: 'Database',
};

const partsOf = ({ findings }: AdminHealth): Html =>
  html`<section id="health-parts">
    <h2>Parts</h2>
    ${dataTable(
      [{ title: 'Part' }, { title: 'State' }, { title: 'Details' }],
      findings
        .toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
        .map(({ name, state, text }) => ({ cells: [NAMES[name] ?? name, STATES[state], text] })),
      { caption: 'The parts of the server, as rookery doctor finds them' },
    )}
  </section>`;

const REDIS = {
  unused: 'not used',
  up: stateBadge('Good', 'good'),
  down: stateBadge('Does not answer', 'bad'),
};

const roomOf = ({ disk, memory, database, usage, redis, uptime_seconds }: AdminHealth): Html =>
  html`<section class="box" id="health-room">
    <h2>Resources</h2>
    ${factList([
      [
        'Disk',
        disk !== null &&
          html`<meter
              min="0"
              max="${disk.total}"
              value="${disk.total - disk.free}"
              aria-label="Used disk"
            ></meter>
            ${sizeText(disk.free)} of ${sizeText(disk.total)} left for <code>${disk.folder}</code>`,
      ],
      ['Memory of this process', sizeText(memory.process)],
      ['Memory of the machine', `${sizeText(memory.free)} of ${sizeText(memory.total)} free`],
      [
        'Database',
        database === null
          ? stateBadge('Does not answer', 'bad')
          : `${sizeText(database.bytes)}, ${database.connections} of ${database.max_connections} connections`,
      ],
      ...usage.map(({ name, bytes }) => [name, sizeText(bytes)] as const),
      ['Redis', REDIS[redis]],
      ['Uptime', secondsText(uptime_seconds)],
    ])}
  </section>`;

const versionsOf = ({ versions, database, event_log }: AdminHealth): Html =>
  html`<section class="box">
    <h2>Versions</h2>
    ${factList([
      ...versions.map(({ name, version }) => [name, version] as const),
      ['PostgreSQL', database !== null && database.version],
      ['Event log', event_log === 'postgresql' ? 'PostgreSQL' : 'EventStoreDB'],
    ])}
  </section>`;

function backupsOf({ backups, database }: AdminHealth, now: string): Html {
  const [last] = backups;
  if (database === null) {
    return html`<h2>Backups</h2>
      <p>The database does not answer, so the last backups are unknown.</p>`;
  }
  if (!last) {
    return html`<h2>Backups</h2>
      ${emptyState({
        icon: 'hard-drive-download',
        text: html`No backup yet. <code>rookery backup FOLDER</code> makes one while the server runs.`,
      })}`;
  }
  return html`<h2>Backups</h2>
    <p>Last backup: ${ago(last.taken_at, now)}.</p>
    ${dataTable(
      [
        { title: 'Taken' },
        { title: 'Finished' },
        { title: 'Events', number: true },
        { title: 'Up to position', number: true },
        { title: 'Media' },
        { title: 'Keys' },
        { title: 'Folder' },
      ],
      backups.map(({ taken_at, finished_at, events, position, media, keys, folder }) => ({
        cells: [
          moment(taken_at),
          moment(finished_at),
          numberText(events),
          position,
          media === 'files' ? 'yes' : media === 'bucket' ? 'in the bucket' : 'no',
          keys ? 'yes' : 'no',
          html`<code>${folder}</code>`,
        ],
      })),
      { caption: 'Finished backups, the newest first' },
    )}`;
}
