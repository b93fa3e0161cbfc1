import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable, factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { differenceText, keyText } from '#kernel/differing-rows.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { projectionPath, PROJECTIONS } from '../addresses.ts';
import { moment } from '../moments.ts';
import { errorBlock, percent, rateText, secondsText } from './words.ts';

const KINDS = { rebuild: 'Rebuild', verify: 'Verification' } as const;
const STATES = {
  running: stateBadge('Running', 'busy'),
  done: stateBadge('Done', 'good'),
  failed: stateBadge('Failed', 'bad'),
  cancelled: stateBadge('Cancelled'),
  interrupted: stateBadge('Interrupted', 'bad'),
} as const;

const badge = ({ state, cancelling }: AdminProjectionRun): Html =>
  cancelling ? stateBadge('Ending', 'busy') : STATES[state];

export const runTable = (runs: readonly AdminProjectionRun[]): Html =>
  dataTable(
    [
      { title: 'Started' },
      { title: 'What' },
      { title: 'State' },
      { title: 'Took', number: true },
      { title: 'Events', number: true },
      { title: 'Outcome' },
    ],
    runs.map((run) => ({
      cells: [
        moment(run.started_at),
        html`${KINDS[run.kind]} of <a href="${projectionPath(run.name)}">${run.name}</a>`,
        badge(run),
        secondsText(run.seconds),
        numberText(run.events),
        outcomeOf(run),
      ],
    })),
    { caption: 'The newest rebuilds and comparisons' },
  );

/** Says in a few words how a build ended. */
function outcomeOf({ state, digests, error, done, total }: AdminProjectionRun): string {
  if (state === 'running') return total === null ? 'Waits to begin' : `${percent(done, total)} % of the log`;
  if (state === 'failed') return error ?? 'Failed';
  if (state === 'interrupted') return 'Its process ended; start it again';
  if (state === 'cancelled') return 'Nothing was changed';
  const different = (digests ?? []).filter(({ live, rebuilt }) => live !== rebuilt).length;
  if (digests === null || digests.length === 0) return 'Built';
  return different === 0 ? 'All digests are equal' : `${different} of ${digests.length} tables differ`;
}

/** Renders the progress of a build, or its end with the digests. */
export const runBox = (run: AdminProjectionRun): Html =>
  html`<section class="box run">
    <h2>${KINDS[run.kind]} ${badge(run)}</h2>
    ${run.state === 'running' ? progress(run) : ending(run)}
  </section>`;

function progress(run: AdminProjectionRun): Html {
  const { id, done, total, estimated, position, head, events_per_second, seconds_left } = run;
  const share = percent(done, total);
  return html`<label class="run-progress"
      ><span>${phaseOf(run)}</span> <progress max="100" value="${share}">${share} %</progress></label
    >
    ${factList([
      [
        'Events',
        total !== null && `${numberText(done ?? 0)} of ${estimated ? 'about ' : ''}${numberText(total)}`,
      ],
      ['Events a second', total !== null && rateText(events_per_second)],
      ['Time left', seconds_left !== null && `about ${secondsText(seconds_left)}`],
      ['Position', `${position} of ${head}`],
      ['Started', moment(run.started_at)],
    ])}
    <p>The build goes on when you leave this page.</p>
    ${!run.cancelling && html`<p>${buttonLink(`${PROJECTIONS}/runs/${id}/cancel`, 'Cancel it', { look: 'plain', icon: 'x' })}</p>`}`;
}

function phaseOf({ cancelling, total, position, head, kind }: AdminProjectionRun): string {
  if (cancelling) return 'Stopping';
  if (total === null) return 'Creating empty tables, or waiting for another build';
  if (position !== head) return 'Reading the log';
  return kind === 'verify'
    ? 'Comparing the tables'
    : 'Creating indexes, comparing the tables, and swapping them';
}

function ending(run: AdminProjectionRun): Html {
  const { seconds, events, events_per_second, error, digests, kind } = run;
  return html`<p>${sentenceOf(run)}</p>
    ${error !== null && errorBlock(error)}
    ${factList([
      ['Started', moment(run.started_at)],
      ['Took', secondsText(seconds)],
      ['Events', events > 0 && `${numberText(events)}, ${rateText(events_per_second)} a second`],
    ])}
    ${digests !== null && digests.length > 0 && digestTable(digests, kind)} ${differingTable(digests ?? [])}`;
}

function sentenceOf({ state, kind, digests }: AdminProjectionRun): string {
  if (state === 'cancelled') return 'It was cancelled. The live tables stayed as they were.';
  if (state === 'interrupted')
    return 'Its process ended before it was done. The live tables stayed as they were; start it again.';
  if (state === 'failed') return 'It failed. The live tables stayed as they were.';
  const same = (digests ?? []).every(({ live, rebuilt }) => live === rebuilt);
  if (kind === 'verify') {
    return same ? 'Every table matches the log.' : 'Some tables do not match the log. A rebuild fixes them.';
  }
  return same
    ? 'The new tables are in place. They have the same rows as the old ones.'
    : 'The new tables are in place. Some rows differ from the old ones, which were wrong or behind.';
}

const digestTable = (
  digests: NonNullable<AdminProjectionRun['digests']>,
  kind: AdminProjectionRun['kind'],
): Html =>
  dataTable(
    [
      { title: 'Table' },
      { title: kind === 'verify' ? 'Live: rows, digest' : 'Before: rows, digest' },
      { title: kind === 'verify' ? 'By the log: rows, digest' : 'Now: rows, digest' },
      { title: 'Equal' },
    ],
    digests.map(({ table, live, rebuilt }) => ({
      cells: [
        table,
        live,
        rebuilt,
        live === rebuilt ? stateBadge('Equal', 'good') : stateBadge('Different', 'bad'),
      ],
    })),
    { caption: 'The number of rows of each table, and a sum of their hashes' },
  );

/** Names the first rows of each table that differ. */
function differingTable(digests: NonNullable<AdminProjectionRun['digests']>): Html | false {
  const named = digests.flatMap(({ table, rows }) => rows.map((row) => ({ table, row })));
  if (named.length === 0) return false;
  return dataTable(
    [{ title: 'Table' }, { title: 'Row' }, { title: 'Difference' }],
    named.map(({ table, row }) => ({ cells: [table, keyText(row), differenceText(row)] })),
    { caption: 'The first rows that differ in each table' },
  );
}
