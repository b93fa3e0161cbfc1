import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminDeadLetter, AdminReactor } from '#mastodon/schemas/index.ts';
import { REACTORS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { lagEvents, secondsText } from './words.ts';

const MOST = 100;

/** The reactors with their lag, and the events that they could not handle. */
export const reactorsPage = consolePage({
  path: REACTORS,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { api, query } = request;
    const reactor = query.get('reactor') ?? undefined;
    const [{ entity: reactors }, { entity: letters }] = await Promise.all([
      api('GET v1/admin/reactors'),
      api('GET v1/admin/reactors/dead_letters', {
        query: { limit: String(MOST), ...(reactor !== undefined && { reactor }) },
      }),
    ]);
    const parts = html`<section id="dead-letters">${deadLetters(letters, reactors, reactor)}</section>
      <section id="reactors">
        <h2>All reactors</h2>
        ${table(reactors)}
      </section>`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: 'Reactors',
      body: html`<p class="quiet" data-live>
          Reactors act on events: they send mail, deliveries and push messages, and fetch previews. An event
          that fails several times is set aside here, and the reactor continues with the next one.
        </p>
        ${parts}`,
    };
  },
});

function deadLetters(
  letters: readonly AdminDeadLetter[],
  reactors: readonly AdminReactor[],
  reactor: string | undefined,
): Html {
  const all = reactors
    .filter(({ name }) => reactor === undefined || name === reactor)
    .reduce((sum, { dead_letters }) => sum + dead_letters, 0);
  const heading = html`<h2>${reactor === undefined ? 'Failed events' : `Failed events of ${reactor}`}</h2>`;
  const back = reactor !== undefined && html`<p><a href="${REACTORS}">Failed events of all reactors</a></p>`;
  if (letters.length === 0)
    return html`${heading} ${back} ${emptyState({ icon: 'circle-check', text: 'No failed events.' })}`;
  const query = reactor === undefined ? '' : `?reactor=${encodeURIComponent(reactor)}`;
  return html`${heading} ${back}
    ${all > letters.length && html`<p>These are the newest ${letters.length} of ${numberText(all)}.</p>`}
    ${dataTable(
      [
        { title: 'Event' },
        { title: 'Reactor' },
        { title: 'Error', breaks: true },
        { title: 'Attempts', number: true },
        { title: 'Since' },
        { title: 'State' },
      ],
      letters.map((each) => ({
        cells: [
          html`<a href="${letterPath(each)}">${each.event_type}</a>`,
          each.reactor,
          each.error.slice(0, 200),
          each.attempts,
          moment(each.failed_at),
          letterState(each),
        ],
      })),
      { caption: 'Failed events, newest first' },
    )}
    <div class="buttons">
      ${buttonLink(`${REACTORS}/retry${query}`, reactor === undefined ? 'Retry all' : 'Retry these', {
        icon: 'play',
      })}
    </div>`;
}

export const letterState = ({ retrying }: AdminDeadLetter): Html =>
  retrying ? stateBadge('Retrying', 'busy') : stateBadge('Needs attention', 'bad');

export const letterPath = ({ reactor, event_id }: AdminDeadLetter): string =>
  `${REACTORS}/${encodeURIComponent(reactor)}/${event_id}`;

function table(reactors: readonly AdminReactor[]): Html {
  const sorted = reactors.toSorted(
    (a, b) => b.dead_letters - a.dead_letters || (b.lag.events ?? 0) - (a.lag.events ?? 0),
  );
  return dataTable(
    [
      { title: 'Name' },
      { title: 'Position', number: true, minor: true },
      { title: 'Behind', number: true },
      { title: 'Lag', number: true },
      { title: 'Failed events', number: true },
    ],
    sorted.map(({ name, position, lag, dead_letters }) => ({
      cells: [
        name,
        position,
        lagEvents(lag),
        secondsText(lag.seconds),
        dead_letters === 0
          ? '0'
          : html`<a href="${REACTORS}?reactor=${encodeURIComponent(name)}">${numberText(dead_letters)}</a>`,
      ],
    })),
    { caption: 'All reactors' },
  );
}
