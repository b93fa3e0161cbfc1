import { tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { ago } from '#interfaces/web/entities/texts.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminAppeal } from '#mastodon/schemas/index.ts';
import { appealPath, APPEALS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { handleLink, personLink } from '../moderation/people.ts';
import { STRIKE_NAMES } from '../moderation/words.ts';
import { recordList } from '../record-list.ts';
import { APPEAL_STATES, appealState, fourEyes } from './four-eyes.ts';

const PAGE = '20';
const STATES = Object.keys(APPEAL_STATES) as (keyof typeof APPEAL_STATES)[];

/** Appeals by their state. */
export const appealsPage = consolePage({
  path: APPEALS,
  permission: 'manage_appeals',
  show: async (request) => {
    const { query } = request;
    const state = STATES.find((name) => name === query.get('state')) ?? 'pending';
    const asked = { limit: PAGE, state, ...placeIn(query) };
    const found = await request.api('GET v1/admin/appeals', { query: asked });
    return {
      title: 'Appeals',
      body: html`${tabs(
        'Appeals',
        Object.entries(APPEAL_STATES).map(([name, [text]]) => ({ href: hrefOf(name), text })),
        hrefOf(state),
      )}
      ${state === 'pending' && html`<p class="note">${fourEyes}</p>`}
      ${recordList(request, found, {
        columns: ['Appeal', 'By', 'Strike', 'Imposed by', 'State', 'Filed'],
        cells: (appeal) => cellsOf(appeal, request),
        caption: 'Appeals, newest first',
        empty: { icon: 'scale', text: state === 'pending' ? 'No appeal waits.' : 'No appeals.' },
      })}`,
    };
  },
});

const hrefOf = (state: string): string => (state === 'pending' ? APPEALS : `${APPEALS}?state=${state}`);

const cellsOf = (appeal: AdminAppeal, request: SignedInRequest): Html[] => [
  html`<a href="${appealPath(appeal.id)}"
    ><span class="excerpt" dir="auto">${appeal.text || 'Erased'}</span></a
  >`,
  personLink(appeal.account.account, request),
  html`${STRIKE_NAMES[appeal.strike.action]}`,
  appeal.imposed_by_account === null ? html`The operator` : handleLink(appeal.imposed_by_account.account),
  appealState(appeal),
  ago(appeal.created_at, request.ctx.now),
];
