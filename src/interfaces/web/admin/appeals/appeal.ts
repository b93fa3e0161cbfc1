import { buttonLink } from '#interfaces/web/design/components.ts';
import { factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { counted, paragraphs } from '#interfaces/web/entities/texts.ts';
import { strangersView } from '#interfaces/web/entities/view.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import type { AdminAppeal } from '#mastodon/schemas/index.ts';
import { appealPath, APPEALS, reportPath } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { handleLink, historyLinks, personLink, stateBadges } from '../moderation/people.ts';
import { STRIKE_NAMES } from '../moderation/words.ts';
import { moment } from '../moments.ts';
import { appealState, fourEyes } from './four-eyes.ts';

export const appealOf = async ({ api, params }: SignedInRequest<{ id: string }>): Promise<AdminAppeal> =>
  (await api('GET v1/admin/appeals/:id', { params: { id: params.id } })).entity;

/** An appeal, with the strike that it is about. */
export const appealPage = consolePage({
  path: `${APPEALS}/:id`,
  permission: 'manage_appeals',
  show: async (request) => {
    const appeal = await appealOf(request);
    const { account } = appeal.account;
    return {
      title: `Appeal of @${account.acct}`,
      actions: historyLinks(request, 'account', account.id),
      back: [APPEALS, 'All appeals'],
      body: html`<div class="case">
        <div class="case-main">${plea(appeal)} ${strikeBox(appeal)} ${evidence(appeal, request)}</div>
        <div class="case-side">${decision(appeal, request)} ${author(appeal, request)}</div>
      </div>`,
    };
  },
});

const plea = (appeal: AdminAppeal): Html =>
  html`<section class="box">
    <h2>Appeal</h2>
    <p>${appealState(appeal)} <span class="quiet">filed on ${moment(appeal.created_at)}</span></p>
    <blockquote class="letter">${paragraphs(appeal.text)}</blockquote>
  </section>`;

const strikeBox = ({ strike, imposed_by_account: by }: AdminAppeal): Html =>
  html`<section class="box">
    <h2>Strike</h2>
    ${factList([
      ['Action', STRIKE_NAMES[strike.action]],
      ['Imposed', moment(strike.created_at)],
      ['By', by === null ? 'The operator' : handleLink(by.account)],
      ['Report', strike.report_id !== null && html`<a href="${reportPath(strike.report_id)}">The report</a>`],
      ['Overruled', strike.overruled_at !== null && moment(strike.overruled_at)],
    ])}
    ${
      strike.text === ''
        ? html`<p class="quiet">No text.</p>`
        : html`<blockquote class="letter">${paragraphs(strike.text)}</blockquote>`
    }
  </section>`;

const evidence = ({ statuses }: AdminAppeal, { ctx }: SignedInRequest): Html | false =>
  statuses.length > 0 &&
  html`<section>
    <h2>Evidence: ${counted(statuses.length, 'post')}</h2>
    <div class="feed">${statuses.map((status) => statusItem(status, strangersView(ctx)))}</div>
  </section>`;

const author = ({ account }: AdminAppeal, request: SignedInRequest): Html =>
  html`<section class="box">
    <h2>Account</h2>
    ${personLink(account.account, request)}
    <p>${stateBadges(account)}</p>
  </section>`;

function decision(appeal: AdminAppeal, { user }: SignedInRequest): Html {
  const { state, closed_at, decided_by_account: by, note, imposed_by_account: imposer, id } = appeal;
  if (state !== 'pending')
    return html`<section class="box">
      <h2>Decision</h2>
      <p>${appealState(appeal)}</p>
      <p class="quiet">
        ${closed_at !== null && moment(closed_at)}${
          state !== 'withdrawn' && html` by ${by === null ? 'the operator' : handleLink(by.account)}`
        }
      </p>
      ${note !== '' && html`<blockquote class="letter">${paragraphs(note)}</blockquote>`}
    </section>`;
  const isOwn = imposer?.id === user.account_id;
  return html`<section class="box">
    <h2>Decision</h2>
    ${isOwn && html`<p class="note">You imposed this strike. ${fourEyes}</p>`}
    ${!isOwn && html`<p class="quiet">${fourEyes}</p>`}
    <div class="buttons">
      ${buttonLink(`${appealPath(id)}/act/approve`, 'Approve…', { icon: 'check' })}
      ${buttonLink(`${appealPath(id)}/act/reject`, 'Reject…', { look: 'danger', icon: 'x' })}
    </div>
  </section>`;
}
