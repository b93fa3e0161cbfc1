import type { AdminProjection } from '../../../../mastodon/schemas/index.ts';
import { buttonLink } from '../../design/components.ts';
import { factList } from '../../design/data-table.ts';
import { html, type Html } from '../../design/html.ts';
import { codeBlock, errorBlock } from './words.ts';

/** Says what halted a read model and what to do; empty while nothing did. */
export function haltedBox({ name, state, failure, event }: AdminProjection): Html {
  if (!failure) return html``;
  const path = `/admin/projections/${name}`;
  return html`<section class="box trouble">
    <h2>${state === 'halted' ? 'It met an event that it cannot handle' : 'It cannot go on'}</h2>
    ${factList([
      ['Event', failure.event_type !== '' && failure.event_type],
      ['Position', failure.position],
      ['Stream', event != null && event.stream],
      ['Event id', failure.event_id !== '' && failure.event_id],
    ])}
    <h3>Error</h3>
    ${errorBlock(failure.error)}
    <h3>What to do</h3>
    ${state === 'halted' ? steps : stopped}
    <div class="buttons">
      ${buttonLink(`${path}/retry`, 'Try it again', { icon: 'play' })}
      ${
        state === 'halted' &&
        buttonLink(`${path}/skip?position=${failure.position}`, 'Leave the event out', {
          look: 'plain',
          icon: 'skip-forward',
        })
      }
    </div>
    ${
      event != null &&
      html`<details class="fold" id="halting-event">
        <summary>The event, decoded</summary>
        ${codeBlock('The event', { data: event.data, metadata: event.metadata })}
      </details>`
    }
  </section>`;
}

const steps = html`<ol>
  <li>
    Nothing is lost: the event stays in the log, and other projections go on. Pages that need this one say
    that it is halted.
  </li>
  <li>
    Most often a release is at fault. Install one that handles the event, or mend the cause (such as a full
    disk), then try the event again.
  </li>
  <li>
    If nothing helps, leave the event out. The projection goes on without what the event says, and the audit
    log keeps your reason. You can take the event again later.
  </li>
</ol>`;

const stopped = html`<p>
  The log cannot be read from here, so the whole group waits. It tries again by itself; see the log of the
  server for the cause, and check the database.
</p>`;
