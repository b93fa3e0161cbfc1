import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable, factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { AdminProjection } from '#mastodon/schemas/index.ts';
import { projectionPath } from '../addresses.ts';
import { moment } from '../moments.ts';
import { codeBlock, errorBlock, isOtherCode, lastTry } from './words.ts';

/** Says what halted a read model and what to do; empty while nothing did. */
export function haltedBox(model: AdminProjection): Html {
  const { name, state, failure, event } = model;
  if (!failure) return html``;
  const path = projectionPath(name);
  return html`<section class="box trouble">
    <h2>${state === 'halted' ? 'Halted by an event that it cannot process' : 'Stopped'}</h2>
    ${factList([
      ['Event', failure.event_type !== '' && failure.event_type],
      ['Position', failure.position],
      ['Stream', event != null && event.stream],
      ['Event id', failure.event_id !== '' && failure.event_id],
      ['Last retry', lastTry(model)],
    ])}
    <h3>Error</h3>
    ${errorBlock(failure.error)}
    <h3>What to do</h3>
    ${state === 'halted' ? steps : stopped}
    <div class="buttons">
      ${buttonLink(`${path}/retry`, 'Retry', { icon: 'play' })}
      ${
        state === 'halted' &&
        buttonLink(`${path}/skip?position=${failure.position}`, 'Skip the event', {
          look: 'plain',
          icon: 'skip-forward',
        })
      }
    </div>
    ${
      event != null &&
      html`<details class="fold" id="halting-event">
        <summary>Show the event</summary>
        ${codeBlock('The event', { data: event.data, metadata: event.metadata })}
      </details>`
    }
  </section>`;
}

/** Says which events the tables of a projection lack until it is rebuilt; empty for none. */
export function lackingBox({ name, lacks }: AdminProjection): Html {
  if (lacks.length === 0) return html``;
  return html`<section class="box trouble">
    <h2>Some data is missing until a rebuild</h2>
    <p>
      The tables lack the events below, which were skipped and are to be processed again. A rebuild processes
      them.
    </p>
    ${dataTable(
      [{ title: 'Position' }, { title: 'Event' }, { title: 'Skipped' }, { title: 'To be processed since' }],
      lacks.map(({ position, event_type, skipped_at, unskipped_at }) => ({
        cells: [position, event_type, moment(skipped_at), moment(unskipped_at)],
      })),
      { caption: 'Missing events' },
    )}
    <div class="buttons">
      ${buttonLink(`${projectionPath(name)}/rebuild`, 'Rebuild', { icon: 'refresh-cw' })}
    </div>
  </section>`;
}

/** Says that other code built a projection than this version has; empty where none did. */
export function otherCodeBox({ name, built_by }: AdminProjection): Html {
  if (!isOtherCode(built_by)) return html``;
  return html`<section class="box trouble">
    <h2>Built by other code</h2>
    <p>
      ${
        built_by.tables === 'other_code'
          ? html`The tables changed since the last build. The next start of the server rebuilds this
            projection.`
          : html`The handlers changed since the last build, and the version stayed the same. Older rows may
            differ from newer ones until a rebuild.`
      }
    </p>
    <div class="buttons">
      ${buttonLink(`${projectionPath(name)}/rebuild`, 'Rebuild', { icon: 'refresh-cw' })}
    </div>
  </section>`;
}

const steps = html`<ol>
  <li>
    Nothing is lost: the event stays in the log, and other projections continue. Pages that need this one say
    that it is halted.
  </li>
  <li>
    Most often the release has a bug. Install one that handles the event, or fix the cause, such as a full
    disk. Then retry.
  </li>
  <li>
    If nothing helps, skip the event. The projection continues without it, and the audit log keeps your
    reason. You can undo this later.
  </li>
</ol>`;

const stopped = html`<p>
  The log cannot be read from here, so the whole group waits. It retries by itself. Check the database, and
  see the server's log for the cause.
</p>`;
