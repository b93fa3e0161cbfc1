import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { AdminEvent } from '#mastodon/schemas/index.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { eventAddress, LOG, streamAddress, traceAddress, withQuery } from './addresses.ts';
import { authorOf, payload, personalBadge } from './event-parts.ts';

/** `/admin/log/:position`: one event. `?personal=true` shows its personal fields, which is recorded. */
export const eventPage = consolePage({
  path: `${LOG}/:position`,
  permission: 'view_devops',
  show: async (request) => {
    const { position } = request.params;
    const event = await eventOf(request, position);
    return event ? eventContent(event) : nothing(position);
  },
});

async function eventOf({ api, query }: SignedInRequest, position: string): Promise<AdminEvent | undefined> {
  const asked = query.get('personal') === 'true' ? { query: { personal: 'true' } } : {};
  try {
    return (await api('GET v1/admin/log/:position', { params: { position }, ...asked })).entity;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

const nothing = (position: string): ConsoleContent => ({
  title: 'No such event',
  status: 404,
  back: [LOG, 'Event log'],
  body: html`${emptyState({
    icon: 'search',
    text: /^\d+$/.test(position)
      ? `The log has no event at position ${position}. It may be past the end.`
      : 'A position of the log is a number, such as 120.',
  })}`,
});

function eventContent(event: AdminEvent): ConsoleContent {
  const { position, type, correlation_id } = event;
  return {
    title: `${type}, position ${position}`,
    actions: buttonLink(traceAddress(correlation_id, position), 'Trace', { look: 'plain', icon: 'workflow' }),
    back: [LOG, 'Event log'],
    body: html`<section class="box">
        <h2>Data</h2>
        ${dataOf(event)} ${personalPart(event)}
      </section>
      <section class="box">
        <h2>Metadata</h2>
        ${circumstances(event)}
      </section>`,
  };
}

const dataOf = ({ data }: AdminEvent): Html =>
  data ? payload(data) : html`<p>This version of Rookery cannot read this event.</p>`;

/** Says how the personal fields are kept, and offers to show them. */
function personalPart(event: AdminEvent): Html | false {
  const { personal, position } = event;
  if (!personal) return false;
  const fields = personal.fields.join(', ');
  if (personal.erased) {
    return html`<p>
      ${personalBadge(event)} The key of this person is destroyed. Nobody can read their ${fields} any more.
    </p>`;
  }
  if (personal.damaged) {
    return html`<p>
      ${personalBadge(event)} The ${fields} of this event cannot be decrypted, and are read as those of an
      erased user. <code>rookery log verify</code> says whether they or the key are damaged.
    </p>`;
  }
  const kept = personal.encrypted ? 'The log has them as ciphertext.' : 'The log has them in clear text.';
  return html`<p>${personalBadge(event)} Personal fields: ${fields}. ${kept}</p>
    ${
      !personal.shown &&
      html`<p>
        ${buttonLink(withQuery(eventAddress(position), { personal: 'true' }), 'Show personal fields', { look: 'plain' })}
        <span class="quiet">The audit log records that you looked.</span>
      </p>`
    }`;
}

const circumstances = (event: AdminEvent): Html =>
  factList([
    ['Position', event.position],
    ['When', moment(event.time)],
    [
      'Stream',
      html`<a href="${streamAddress(event.stream)}">${event.stream}</a>, revision ${event.revision}`,
    ],
    ['By', event.rule === null ? authorOf(event) : stateBadge(event.rule)],
    ['User', event.rule !== null && event.actor !== null && authorOf({ ...event, rule: null })],
    ['Application', event.application_id !== null && event.application_id],
    ['Sent by', event.remote !== null && event.remote],
    ['Command', html`<code>${event.command_id}</code>`],
    [
      'Correlation',
      html`<a href="${withQuery(LOG, { correlation: event.correlation_id })}"
          ><code>${event.correlation_id}</code></a
        >
        <span class="quiet">(everything that one request caused has the same id)</span>`,
    ],
    ['Because of', event.causation_id !== null && html`event <code>${event.causation_id}</code>`],
    ['Event', html`<code>${event.id}</code>`],
  ]);
