import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { handleField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { button } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError, type RookeryError } from '#kernel/errors.ts';
import type { AdminEvent, AdminEventPage } from '#mastodon/schemas/index.ts';
import { consolePage } from '../console-page.ts';
import { moment, momentField } from '../moments.ts';
import { eventAddress, FILTERS, LOG, streamAddress, traceAddress, withQuery } from './addresses.ts';
import { authorOf, lookedText, personalBadge } from './event-parts.ts';

const COLUMNS = [
  { title: 'Position', number: true },
  { title: 'Event' },
  { title: 'Stream', breaks: true },
  { title: 'By' },
  { title: 'When' },
  { title: 'Trace' },
];

type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

/** `/admin/log`: the newest events of the log, followed live unless `?paused=true`. */
export const logPage = consolePage({
  path: LOG,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const filter = filterIn(request.query);
    const [found, types] = await Promise.all([lookedUp(request, filter), typesFor(request)]);
    if (request.wantsFragment)
      return { fragment: 'problem' in found ? html`` : eventsPart(found.page, filter) };
    return {
      title: 'Event log',
      actions: tailButtons(request, filter),
      ...('problem' in found && { status: found.status }),
      body: html`${filterForm(filter, types)}
      ${
        'problem' in found
          ? html`<div class="error" role="alert"><p>${found.problem}</p></div>`
          : html`<div ${isTail(request) && html`data-live`}>${eventsPart(found.page, filter)}</div>
              ${furtherLinks(request, found.page, filter)}`
      }`,
    };
  },
});

const filterIn = (query: URLSearchParams): Filter =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = query.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

/**
 * The look of the operator at the log is an event of its own, which would fill a live page. It is shown where
 * the filter asks for it.
 */
const hidesOwnViews = ({ own_views, type, correlation }: Filter): boolean =>
  own_views === undefined && correlation === undefined && !wordsIn(type).includes('AuditViewed');

const wordsIn = (text: string | undefined): string[] => text?.split(/[\s,]+/).filter(Boolean) ?? [];

/** Tells whether more is left out than usual. */
const isNarrowed = ({ own_views: _own, ...rest }: Filter): boolean => Object.keys(rest).length > 0;

type Found = { page: AdminEventPage } | { problem: string; status: number };

/** Refused filters are explained above the events, so that they can be corrected. */
async function lookedUp(request: SignedInRequest, filter: Filter): Promise<Found> {
  const { type, without, own_views: _own, ...others } = filter;
  const before = request.query.get('max_id') ?? '';
  try {
    const query = {
      ...others,
      type: wordsIn(type),
      exclude_type: wordsIn(without),
      ...(hidesOwnViews(filter) && { exclude_own_views: 'true' }),
      ...(before !== '' && { max_id: before }),
    };
    return { page: (await request.api('GET v1/admin/log', { query })).entity };
  } catch (error) {
    if (isRookeryError(error) && error.code === 'invalid') return { problem: textOf(error), status: 422 };
    if (!isRookeryError(error) || error.code !== 'not_found') throw error;
    const who = filter.actor === undefined ? undefined : `${filter.actor} is no user of this server`;
    return { problem: who ?? `The log cannot be read from position ${before}`, status: 404 };
  }
}

const textOf = ({ message }: RookeryError): string => message.replace(/^Validation failed: /, '');

const isTail = ({ query }: SignedInRequest): boolean => !query.has('paused') && !query.has('max_id');

function tailButtons(request: SignedInRequest, filter: Filter): Part {
  if (isTail(request)) {
    return html`${stateBadge('Live', 'good')}
    ${buttonLink(withQuery(LOG, filter), 'Refresh', { look: 'plain', icon: 'refresh-cw' })}
    ${buttonLink(withQuery(LOG, { ...filter, paused: 'true' }), 'Pause', { look: 'plain' })}`;
  }
  return html`${stateBadge('Paused')}
  ${buttonLink(withQuery(LOG, filter), 'Follow', { look: 'plain', icon: 'play' })}`;
}

const typesFor = async ({ api, wantsFragment }: SignedInRequest): Promise<string[]> =>
  wantsFragment ? [] : (await api('GET v1/admin/log/types')).entity;

const typesField = (name: 'type' | 'without', label: string, value: string): Html =>
  textField({ name, label, value, autocomplete: 'off', list: 'event-types' }, 500);

function filterForm(filter: Filter, types: readonly string[]): Html {
  const {
    type = '',
    without = '',
    stream = '',
    actor = '',
    correlation = '',
    from = '',
    until = '',
  } = filter;
  return html`<form class="box filter-bar" method="get" action="${LOG}" role="search" aria-label="Events">
    ${[
      typesField('type', 'Event types', type),
      typesField('without', 'Leave out', without),
      textField({ name: 'stream', label: 'Stream (status-*)', autocomplete: 'off', value: stream }, 500),
      handleField({ name: 'actor', label: 'User', value: actor, optional: true }),
      textField(
        { name: 'correlation', label: 'Correlation id', autocomplete: 'off', value: correlation },
        100,
      ),
      momentField({ name: 'from', label: 'From (UTC)', value: from }),
      momentField({ name: 'until', label: 'Before (UTC)', value: until }),
    ].map((field) => html`<div>${field}</div>`)}
    ${checkField({
      name: 'own_views',
      value: '1',
      label: 'Include my own views of the log',
      checked: filter.own_views !== undefined,
    })}
    <div class="buttons">${button('Filter')} ${buttonLink(LOG, 'Clear', { look: 'plain' })}</div>
    <datalist id="event-types">${types.map((each) => html`<option value="${each}"></option>`)}</datalist>
  </form>`;
}

/** The part of the page that is live. */
function eventsPart({ events, looked, head }: AdminEventPage, filter: Filter): Html {
  const isFiltered = isNarrowed(filter);
  return html`<div id="log-events">
    <p class="quiet">${isFiltered && lookedText(looked)} The log ends at position ${head}.</p>
    ${
      events.length === 0
        ? emptyState({
            icon: 'search',
            text: isFiltered ? 'No event matches there.' : 'There are no events there.',
          })
        : dataTable(COLUMNS, events.map(row), { caption: 'Events, the newest first' })
    }
  </div>`;
}

const row = (event: AdminEvent): { id: string; cells: Part[] } => ({
  id: `event-${event.position}`,
  cells: [
    html`<a href="${eventAddress(event.position)}">${event.position}</a>`,
    html`${event.type} ${personalBadge(event)}`,
    html`<span><a href="${streamAddress(event.stream)}">${event.stream}</a> @${event.revision}</span>`,
    authorOf(event),
    moment(event.time),
    html`<a href="${traceAddress(event.correlation_id, event.position)}"
      >Trace<span class="hush"> of ${event.position}</span></a
    >`,
  ],
});

function furtherLinks(request: SignedInRequest, { next }: AdminEventPage, filter: Filter): Html | false {
  const isBack = request.query.has('max_id');
  if (!isBack && next === null) return false;
  return html`<nav class="pages" aria-label="Pages">
    ${isBack ? buttonLink(withQuery(LOG, filter), 'Newest', { look: 'plain' }) : html`<span></span>`}
    ${
      next !== null &&
      buttonLink(
        withQuery(LOG, { ...filter, max_id: next }),
        isNarrowed(filter) ? 'Search further back' : 'Older',
        { look: 'plain' },
      )
    }
  </nav>`;
}
