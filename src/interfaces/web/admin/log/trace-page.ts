import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { durationText } from '#kernel/quantities.ts';
import { valuesBy } from '#kernel/values-by.ts';
import type { AdminTrace } from '#mastodon/schemas/index.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { eventAddress, LOG, traceAddress, withQuery } from './addresses.ts';
import { authorOf, lookedText, personalBadge } from './event-parts.ts';
import { type TracedCommand, type TracedEvent, treeOf } from './trace-tree.ts';

/** `/admin/trace/:correlation`: what happened because of one request, as a tree. */
export const tracePage = consolePage({
  path: '/admin/trace/:correlation',
  permission: 'view_devops',
  show: async (request) => {
    const { correlation } = request.params;
    const trace = await traceOf(request, correlation);
    if (!trace) return notATrace;
    const found = foundIn(request, trace);
    return trace.events.length === 0 ? emptyTrace(trace, found) : traceContent(trace, found);
  },
});

async function traceOf(
  { api, query }: SignedInRequest,
  correlation: string,
): Promise<AdminTrace | undefined> {
  const place = valuesBy(['near', 'max_id'], (name) => {
    const value = query.get(name) ?? '';
    return /^\d{1,18}$/.test(value) ? value : undefined;
  });
  const asked = { params: { correlation }, query: place };
  try {
    return (await api('GET v1/admin/trace/:correlation', asked)).entity;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

const notATrace: ConsoleContent = {
  title: 'No such trace',
  status: 404,
  back: [LOG, 'Event log'],
  body: html`${emptyState({
    icon: 'workflow',
    text: 'A trace has the id of a request: the X-Request-Id of its reply, or the correlation id of an event.',
  })}`,
};

/** Returns the position of an event of the trace, which a further search carries along. */
function foundIn({ query }: SignedInRequest, { events }: AdminTrace): string | undefined {
  const carried = query.get('found') ?? '';
  return events[0]?.position ?? (/^\d{1,18}$/.test(carried) ? carried : undefined);
}

/** A further search that finds nothing leads back to what an earlier one found. */
const emptyTrace = (trace: AdminTrace, found: string | undefined): ConsoleContent => ({
  title: found === undefined ? 'Nothing found' : 'Nothing further',
  ...(found === undefined && { status: 404 }),
  back:
    found === undefined ? [LOG, 'Event log'] : [traceAddress(trace.correlation_id, found), 'What was found'],
  body: html`${emptyState({
    icon: 'workflow',
    text:
      found === undefined
        ? `No event there has the correlation id ${trace.correlation_id}. The request was refused, only read, or is older.`
        : `No other event there has the correlation id ${trace.correlation_id}.`,
  })}
  ${furtherPart(trace, found)}`,
});

function traceContent(trace: AdminTrace, found: string | undefined): ConsoleContent {
  const { events, correlation_id, failures } = trace;
  const [first] = events;
  return {
    title: 'Trace',
    back: [LOG, 'Event log'],
    body: html`<section class="box">
        <h2>Request</h2>
        <p>
          <code>${correlation_id}</code> by ${first && authorOf(first)} on ${first && moment(first.time)}:
          ${counted(events.length, 'event')}
        </p>
        <ol class="trace">
          ${treeOf(events).map(commandItem)}
        </ol>
      </section>
      ${failures.length > 0 && failuresPart(trace)} ${modelsPart(trace)} ${furtherPart(trace, found)}`,
  };
}

const commandItem = ({ events, after }: TracedCommand): Html => {
  const [first] = events;
  const by = first && authorOf(first.event);
  return html`<li>
    <p class="trace-command">
      <span class="state ${first?.event.rule !== null && 'busy'}"
        >${first?.event.rule === null ? 'Command' : 'Reaction'}</span
      >
      ${by} <span class="quiet">after ${durationText(after / 1_000)}</span>
    </p>
    <ol>
      ${events.map(eventItem)}
    </ol>
  </li>`;
};

const eventItem = ({ event, commands }: TracedEvent): Html =>
  html`<li>
    <p class="trace-event">
      <a href="${eventAddress(event.position)}">${event.type}</a> ${personalBadge(event)}
      <span class="quiet">position ${event.position}, ${event.stream}</span>
    </p>
    ${
      commands.length > 0 &&
      html`<ol>
        ${commands.map(commandItem)}
      </ol>`
    }
  </li>`;

const failuresPart = ({ failures, events }: AdminTrace): Html =>
  html`<h2>Failed reactions</h2>
    ${dataTable(
      [{ title: 'Reactor' }, { title: 'Event' }, { title: 'Error' }, { title: 'When' }],
      failures.map(({ reactor, event_id, event_type, error, failed_at }) => {
        const position = events.find(({ id }) => id === event_id)?.position;
        const event =
          position === undefined ? event_type : html`<a href="${eventAddress(position)}">${event_type}</a>`;
        return { cells: [reactor, event, error, moment(failed_at)] };
      }),
    )}`;

const STATES = {
  contains_them: stateBadge('Up to date', 'good'),
  behind: stateBadge('Behind', 'busy'),
  halted: stateBadge('Halted', 'bad'),
  not_built: stateBadge('Not built', 'bad'),
} as const;

const modelsPart = ({ read_models }: AdminTrace): Html =>
  html`<h2>Projections</h2>
    ${dataTable(
      [{ title: 'Projection' }, { title: 'Group' }, { title: 'Events' }, { title: 'State' }],
      read_models.map(({ name, group, takes, state }) => ({
        cells: [name, group, takes.join(', '), STATES[state]],
      })),
    )}`;

/** Says how far was looked, and offers to look further. */
function furtherPart({ correlation_id, looked, head }: AdminTrace, found: string | undefined): Html {
  const { first, last } = looked;
  const path = traceAddress(correlation_id);
  return html`<p class="quiet">${lookedText(looked)} The log ends at position ${head}.</p>
    <div class="buttons">
      ${
        first !== null &&
        first !== '1' &&
        buttonLink(withQuery(path, { max_id: first, found }), 'Search further back', { look: 'plain' })
      }
      ${
        last !== null &&
        last !== head &&
        buttonLink(withQuery(path, { near: last, found }), 'Search further on', { look: 'plain' })
      }
    </div>`;
}
