import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminJobs } from '#mastodon/schemas/index.ts';
import { JOBS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { schedules } from './schedules.ts';

const MOST = 100;
const STATES = {
  running: stateBadge('Running', 'good'),
  waiting: stateBadge('Waiting'),
  scheduled: stateBadge('Scheduled'),
  retrying: stateBadge('Retrying', 'busy'),
  failed: stateBadge('Failed', 'bad'),
} as const;

/** Long work: what runs, what waits, and what is scheduled; and what the server does at set times. */
export const jobsPage = consolePage({
  path: JOBS,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { api, ctx } = request;
    const [{ entity }, { entity: timers }] = await Promise.all([
      api('GET v1/admin/jobs', { query: { limit: String(MOST) } }),
      api('GET v1/admin/timers'),
    ]);
    const parts = html`<div id="jobs">${entity.kinds.length === 0 ? nothing : tables(entity)}</div>
      ${schedules(timers, ctx.now)}`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: 'Jobs',
      body: html`<p class="quiet" data-live>
          Jobs do what takes longer than a request: imports, archives, media, fetches from other servers. A
          job that fails is retried four times, with growing delays. Schedules are tasks that the server does
          at set times.
        </p>
        ${parts}`,
    };
  },
});

const nothing = emptyState({ icon: 'circle-check', text: 'No jobs are waiting or running.' });

const tables = ({ kinds, jobs }: AdminJobs): Html =>
  html`<h2>By kind</h2>
    ${dataTable(
      [
        { title: 'Kind' },
        { title: 'Running', number: true },
        { title: 'Waiting', number: true },
        { title: 'Scheduled', number: true },
        { title: 'Retrying', number: true },
        { title: 'Failed', number: true },
        { title: 'Oldest waiting since' },
      ],
      kinds.map(({ name, running, waiting, scheduled, retrying, failed, oldest_at }) => ({
        cells: [
          name,
          ...[running, waiting, scheduled, retrying, failed].map(numberText),
          oldest_at === null ? '' : moment(oldest_at),
        ],
      })),
      { caption: 'Jobs by kind' },
    )}
    <h2>Jobs</h2>
    ${jobs.length === MOST && html`<p>These are ${MOST} of them: running and failed ones come first.</p>`}
    ${dataTable(
      [
        { title: 'Kind' },
        { title: 'State' },
        { title: 'Queued' },
        { title: 'Due' },
        { title: 'Failed attempts', number: true },
        { title: 'Error', breaks: true },
      ],
      jobs.map(({ name, state, created_at, due_at, tries, error }) => ({
        cells: [name, STATES[state], moment(created_at), moment(due_at), tries, error ?? ''],
      })),
      { caption: 'Jobs' },
    )}`;
