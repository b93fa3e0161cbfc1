import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminTimer } from '#mastodon/schemas/index.ts';
import { moment } from '../moments.ts';
import { errorBlock } from './words.ts';

/** The work of each timer. */
export const SCHEDULES: Readonly<Record<string, string>> = {
  alerts: 'Looks for causes of alerts twice a minute',
  announcements: 'Publishes and ends announcements',
  'ip-blocks': 'Lifts IP blocks that have expired',
  'log-checkpoints': 'Signs a checkpoint of the log every minute',
  'damaged-events': 'Reports damaged events to the audit log',
  'log-verification': 'Verifies the whole log, as the settings say',
  'log-witnesses': 'Sends checkpoints to the witnesses',
  'media-removal': 'Removes uploads without a post after a day',
  polls: 'Closes polls at their end',
  rankings: 'Counts trends every five minutes',
  'scheduled-statuses': 'Publishes scheduled posts',
};

const STATES = {
  running: stateBadge('Running', 'good'),
  late: stateBadge('Late', 'busy'),
  failing: stateBadge('Failing', 'bad'),
  stopped: stateBadge('Not running', 'bad'),
} as const;
const COLUMNS = [
  { title: 'Name' },
  { title: 'Task' },
  { title: 'Next run' },
  { title: 'Last run' },
  { title: 'State' },
];

/** Renders the timers; `now` is ISO 8601. */
export function schedules(timers: readonly AdminTimer[], now: string): Html {
  const rows = timers.map((timer) => ({
    cells: [
      timer.name,
      SCHEDULES[timer.name] ?? '',
      nextRun(timer, now),
      timer.fired_at === null ? 'never' : moment(timer.fired_at),
      STATES[timer.state],
    ],
  }));
  return html`<section id="schedules">
    <h2>Schedules</h2>
    ${timers.map(failure)}
    ${
      timers.length === 0
        ? emptyState({ icon: 'timer', text: 'No schedule has run yet.' })
        : dataTable(COLUMNS, rows, { caption: 'Schedules' })
    }
  </section>`;
}

function nextRun({ next_at }: AdminTimer, now: string): Part {
  if (next_at === null) return 'none due';
  return next_at <= now ? 'now' : moment(next_at);
}

const failure = ({ name, error, failing, failing_since }: AdminTimer): Part =>
  error !== null &&
  html`<div class="box trouble">
    <h3>${name} is failing</h3>
    <p>
      ${failing_since !== null && html`Since ${moment(failing_since)}.`}
      ${failing > 1 && `${numberText(failing)} tasks wait for a retry.`} The server retries by itself.
    </p>
    ${errorBlock(error, `Error of ${name}`)}
  </div>`;
