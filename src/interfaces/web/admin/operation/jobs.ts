import type { AdminJobs, AdminTimer } from '../../../../mastodon/schemas/index.ts';
import { emptyState } from '../../design/components.ts';
import { dataTable, stateBadge } from '../../design/data-table.ts';
import { html, type Html } from '../../design/html.ts';
import { moment } from '../../entities/texts.ts';
import { consolePage } from '../console-page.ts';
import { schedules } from './schedules.ts';
import { numberText } from './words.ts';

const MOST = 100;
const STATES = {
  running: stateBadge('Running', 'good'),
  waiting: stateBadge('Waiting'),
  scheduled: stateBadge('Scheduled'),
  retrying: stateBadge('Tried again later', 'busy'),
  failed: stateBadge('Failed', 'bad'),
} as const;

/** Long work: what runs, what waits, and what is scheduled; and what the server does at set times. */
export const jobsPage = consolePage({
  path: '/admin/jobs',
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { api, ctx } = request;
    const [{ entity }, { entity: timers }] = await Promise.all([
      api<AdminJobs>('GET v1/admin/jobs', { query: { limit: String(MOST) } }),
      api<AdminTimer[]>('GET v1/admin/timers'),
    ]);
    const parts = html`<div id="jobs">${entity.kinds.length === 0 ? nothing : tables(entity)}</div>
      ${schedules(timers, ctx.now)}`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: 'Jobs',
      body: html`<p class="quiet" data-live>
          Jobs are work that takes longer than a request: imports, archives, media, fetches from other
          servers. A job that fails is tried again four times, later each time. Schedules are work that the
          server does by itself at set times.
        </p>
        ${parts}`,
    };
  },
});

const nothing = emptyState({ icon: 'circle-check', text: 'No jobs wait or run.' });

const tables = ({ kinds, jobs }: AdminJobs): Html =>
  html`<h2>By kind</h2>
    ${dataTable(
      [
        { title: 'Kind' },
        { title: 'Running', number: true },
        { title: 'Waiting', number: true },
        { title: 'Scheduled', number: true },
        { title: 'Tried again later', number: true },
        { title: 'Failed', number: true },
        { title: 'Oldest waits since' },
      ],
      kinds.map(({ name, running, waiting, scheduled, retrying, failed, oldest_at }) => ({
        cells: [
          name,
          ...[running, waiting, scheduled, retrying, failed].map(numberText),
          oldest_at === null ? 'none waits' : moment(oldest_at),
        ],
      })),
      { caption: 'Jobs by kind' },
    )}
    <h2>Jobs</h2>
    ${jobs.length === MOST && html`<p>These are ${MOST} of them: those that run and those that failed come first.</p>`}
    ${dataTable(
      [
        { title: 'Kind' },
        { title: 'State' },
        { title: 'Queued' },
        { title: 'Due' },
        { title: 'Failed tries', number: true },
        { title: 'Error' },
      ],
      jobs.map(({ name, state, created_at, due_at, tries, error }) => ({
        cells: [name, STATES[state], moment(created_at), moment(due_at), tries, error ?? 'none'],
      })),
      { caption: 'Jobs' },
    )}`;
