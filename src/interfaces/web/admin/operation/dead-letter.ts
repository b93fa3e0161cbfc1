import type { AdminDeadLetter } from '../../../../mastodon/schemas/index.ts';
import { backLink, buttonLink } from '../../design/components.ts';
import { factList } from '../../design/data-table.ts';
import { html } from '../../design/html.ts';
import { moment } from '../../entities/texts.ts';
import type { SignedInRequest } from '../../page/page.ts';
import { consolePage } from '../console-page.ts';
import { confirmed } from './confirm.ts';
import { letterPath, letterState } from './reactors.ts';
import { codeBlock, errorBlock } from './words.ts';

const PATH = '/admin/reactors/:reactor/:event_id';
const ALL = '/admin/reactors';

const letterOf = async ({ api, params }: SignedInRequest): Promise<AdminDeadLetter> =>
  (await api<AdminDeadLetter>('GET v1/admin/reactors/:reactor/dead_letters/:event_id', { params })).entity;

/** One event that a reactor could not handle: its cause, and the event itself. */
const show = consolePage({
  path: PATH,
  permission: 'view_devops',
  show: async (request) => {
    const letter = await letterOf(request);
    const { event, event_type, reactor, event_id, stream, position, attempts, failed_at, error } = letter;
    return {
      title: event_type,
      body: html`${backLink(ALL, 'All reactors')}
        <section class="box">
          <h2 class="hush">What happened</h2>
          ${factList([
            ['Reactor', reactor],
            ['State', letterState(letter)],
            ['Tries', attempts],
            ['Since', moment(failed_at)],
            ['Stream', stream],
            ['Position', position],
            ['Event id', event_id],
          ])}
          <h3>Error</h3>
          ${errorBlock(error)}
          <p>
            Mend the cause first, such as a mail server that refuses, or a fault in a release. Events of the
            same stream that came later were handled already.
          </p>
          <div class="buttons">
            ${buttonLink(`${letterPath(letter)}/retry`, 'Try it again', { icon: 'play' })}
          </div>
        </section>
        <section class="box">
          <h2>The event</h2>
          ${
            event == null
              ? html`<p>It cannot be read.</p>`
              : codeBlock('The event', { data: event.data, metadata: event.metadata })
          }
        </section>`,
    };
  },
});

const retryOne = confirmed({
  path: `${PATH}/retry`,
  notice: 'dead_letters_retried',
  ask: async (request) => {
    const letter = await letterOf(request);
    return {
      title: `Try again: ${letter.event_type}`,
      text: html`<p>
        The reactor ${letter.reactor} handles the event at ${letter.position} again. If it succeeds, the event
        disappears from the list; if not, it stays there with the new error.
      </p>`,
      label: 'Try again',
      back: letterPath(letter),
    };
  },
  act: async ({ api, params: { reactor = '', event_id = '' } }) => {
    await api('POST v1/admin/reactors/dead_letters/retry', { body: { reactor, event_id } });
    return ALL;
  },
});

const retryAll = confirmed({
  path: '/admin/reactors/retry',
  notice: 'dead_letters_retried',
  ask: ({ query }, tried) => {
    const reactor = tried?.fields['reactor'] ?? query.get('reactor') ?? '';
    return {
      title: 'Try events again',
      text: html`<p>
        ${reactor === '' ? 'All events that reactors could not handle' : `All events that ${reactor} could not handle`}
        are handled again, one after the other. What succeeds disappears from the list; what fails stays there
        with the new error.
      </p>`,
      hidden: reactor === '' ? {} : { reactor },
      label: 'Try again',
      back: ALL,
    };
  },
  act: async ({ api }, { reactor = '' }) => {
    await api('POST v1/admin/reactors/dead_letters/retry', { body: reactor === '' ? {} : { reactor } });
    return ALL;
  },
});

export const deadLetterPages = [retryAll, show, retryOne];
