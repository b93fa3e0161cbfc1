import { buttonLink } from '#interfaces/web/design/components.ts';
import { factList } from '#interfaces/web/design/data-table.ts';
import { html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import type { AdminDeadLetter } from '#mastodon/schemas/index.ts';
import { REACTORS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { confirmed } from './confirm.ts';
import { letterPath, letterState } from './reactors.ts';
import { codeBlock, errorBlock } from './words.ts';

const PATH = `${REACTORS}/:reactor/:event_id`;

const letterOf = async ({
  api,
  params,
}: SignedInRequest<{ reactor: string; event_id: string }>): Promise<AdminDeadLetter> =>
  (await api('GET v1/admin/reactors/:reactor/dead_letters/:event_id', { params })).entity;

/** One event that a reactor could not handle: its cause, and the event itself. */
const show = consolePage({
  path: PATH,
  permission: 'view_devops',
  show: async (request) => {
    const letter = await letterOf(request);
    const { event, event_type, reactor, event_id, stream, position, attempts, failed_at, error } = letter;
    return {
      title: event_type,
      back: [REACTORS, 'All reactors'],
      body: html`<section class="box">
          <h2 class="hush">Failure</h2>
          ${factList([
            ['Reactor', reactor],
            ['State', letterState(letter)],
            ['Attempts', attempts],
            ['Since', moment(failed_at)],
            ['Stream', stream],
            ['Position', position],
            ['Event id', event_id],
          ])}
          <h3>Error</h3>
          ${errorBlock(error)}
          <p>
            Fix the cause first, such as a mail server that refuses or a bug in the release. Later events of
            the same stream are already processed.
          </p>
          <div class="buttons">${buttonLink(`${letterPath(letter)}/retry`, 'Retry', { icon: 'play' })}</div>
        </section>
        <section class="box">
          <h2>The event</h2>
          ${
            event == null
              ? html`<p>The event cannot be read.</p>`
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
      title: `Retry ${letter.event_type}`,
      text: html`<p>
        The reactor ${letter.reactor} processes the event at ${letter.position} again. If that succeeds, the
        event disappears from the list; if not, it stays with the new error.
      </p>`,
      label: 'Retry',
      back: letterPath(letter),
    };
  },
  act: async ({ api, params: { reactor, event_id } }) => {
    await api('POST v1/admin/reactors/dead_letters/retry', { body: { reactor, event_id } });
    return REACTORS;
  },
});

const retryAll = confirmed({
  path: `${REACTORS}/retry`,
  notice: 'dead_letters_retried',
  ask: ({ query }, tried) => {
    const reactor = tried?.fields['reactor'] ?? query.get('reactor') ?? '';
    return {
      title: 'Retry failed events',
      text: html`<p>
        ${reactor === '' ? 'All failed events' : `All failed events of ${reactor}`} are processed again, one
        after the other. Those that succeed disappear from the list; the others stay with the new error.
      </p>`,
      hidden: reactor === '' ? {} : { reactor },
      label: 'Retry',
      back: REACTORS,
    };
  },
  act: async ({ api }, { reactor = '' }) => {
    await api('POST v1/admin/reactors/dead_letters/retry', { body: reactor === '' ? {} : { reactor } });
    return REACTORS;
  },
});

export const deadLetterPages = [retryAll, show, retryOne];
