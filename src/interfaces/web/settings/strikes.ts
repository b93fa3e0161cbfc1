import { strikePath, WORDS_OF_STRIKES } from '#commands/mails/index.ts';
import { appealStrike, MAX_APPEAL, withdrawAppeal } from '#commands/strikes/index.ts';
import { STRIKES } from '#interfaces/oauth/sign-in.ts';
import { invalid } from '#kernel/errors.ts';
import type { Strike } from '#mastodon/schemas/index.ts';
import { listStrikes, showStrike, strikeStatuses } from '#queries/strikes/index.ts';
import { longField } from '../design/fields.ts';
import { html, type Part } from '../design/html.ts';
import { statusItem } from '../entities/status.ts';
import { groundsText } from '../entities/strike-grounds.ts';
import { day, moment, paragraphs } from '../entities/texts.ts';
import { strangersView } from '../entities/view.ts';
import { replyOf } from '../page/call-endpoint.ts';
import { button, form } from '../page/forms.ts';
import { keepTexts } from '../page/kept-texts.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { unixLines } from '../page/sent-texts.ts';
import { pageLinks, pageParametersIn } from '../public/page-request.ts';
import { EXPORT } from './export.ts';

const PAGE = 20;

/** The actions of staff against the account. The staff member stays anonymous. */
export const strikesPage = userPage({
  path: STRIKES,
  allowsLockedOut: true,
  show: async (request) => {
    const { ctx, query } = request;
    const asked = { limit: String(PAGE), ...pageParametersIn(query) };
    const { entity, next } = await replyOf(ctx, listStrikes, { query: asked });
    const lines = entity.map(
      (strike) =>
        html`<li>
          <a href="${strikePath(strike.id)}">${wordsOf(strike).subject}</a><br /><span class="quiet"
            >${day(strike.created_at)}${standingOf(strike)}</span
          >
        </li>`,
    );
    const list = html`<ul class="people">
      ${lines}
    </ul>`;
    const boxes = [
      lines.length === 0 ? html`<p>You have no strikes.</p>` : list,
      pageLinks(STRIKES, query, next),
    ];
    return settingsPage(request, 'Strikes', boxes);
  },
});

/** One of them, at Mastodon's address, with the form of an appeal. `step` distinguishes the forms. */
export const strikePage = userPage({
  path: strikePath(':id'),
  allowsLockedOut: true,
  show: showOne,
  keep: keepTexts({ text: 'Your appeal' }),
  submit: async ({ ctx, user, params, path }, { step, text = '' }) => {
    // Only an id passes.
    const strike = await strikeOf(ctx, params.id);
    switch (step) {
      case 'appeal':
        await appealStrike(ctx, { accountId: user.account_id, strikeId: strike.id, text: unixLines(text) });
        return { redirect: saying(path, 'appealed') };
      case 'withdraw':
        await withdrawAppeal(ctx, { accountId: user.account_id, strikeId: strike.id });
        return { redirect: saying(path, 'withdrawn') };
      default:
        throw invalid('The form is incomplete.');
    }
  },
});

/** Throws RookeryError `not_found`. */
const strikeOf = async (ctx: SignedInRequest['ctx'], id: string): Promise<Strike> =>
  (await replyOf(ctx, showStrike, { params: { id } })).entity;

const wordsOf = ({ action }: Strike): { subject: string; what: string } => WORDS_OF_STRIKES[action];

const STATES: Record<NonNullable<Strike['appeal']>['state'], string> = {
  pending: 'You appealed. The moderators have not decided yet.',
  approved: 'Your appeal was approved. This strike counts no more.',
  rejected: 'Your appeal was rejected.',
  withdrawn: 'You withdrew your appeal.',
};

const standingOf = ({ appeal }: Strike): string => (appeal === null ? '' : ` · ${STATES[appeal.state]}`);

async function showOne(request: SignedInRequest<{ id: string }>, tried?: Tried): Promise<WebResponse> {
  const { ctx, params, lockedOut } = request;
  const strike = await strikeOf(ctx, params.id);
  const { subject, what } = wordsOf(strike);
  const statuses = await strikeStatuses(ctx, strike.id);
  const boxes = [
    html`<p class="quiet">${moment(strike.created_at)}</p>
      <p>The moderators of ${ctx.instance.domain} ${what}</p>
      ${groundsText(ctx.instance.domain, strike.grounds)}
      ${
        strike.text !== '' &&
        html`<h2>What they say</h2>
          ${paragraphs(strike.text)}`
      }`,
    statuses.length > 0 &&
      html`<h2>What it is about</h2>
        ${statuses.map((status) => statusItem({ ...status, quote: null, card: null }, strangersView(ctx)))}`,
    appealBox(request, strike, tried),
    html`<p><a href="${STRIKES}">All strikes</a></p>
      ${
        lockedOut &&
        html`<p class="quiet">
          You can <a href="${EXPORT}">take along what is yours</a>. Everything else is closed to you as long
          as this holds.
        </p>`
      }`,
  ];
  return settingsPage(request, subject, boxes, tried);
}

function appealBox(request: SignedInRequest, strike: Strike, tried: Tried | undefined): Part {
  const { appeal, appealable_until: until } = strike;
  if (appeal) {
    const { state, text, note, created_at, closed_at } = appeal;
    return html`<h2>Your appeal</h2>
      <p class="quiet">${moment(created_at)}</p>
      ${paragraphs(text)}
      <p>${STATES[state]}${closed_at !== null && html` <span class="quiet">${moment(closed_at)}</span>`}</p>
      ${
        note !== '' &&
        html`<h3>What they answered</h3>
          ${paragraphs(note)}`
      }
      ${
        state === 'pending' &&
        form(
          request,
          html`<p class="quiet">An appeal that you withdraw cannot be filed again.</p>
            ${button('Withdraw my appeal', 'plain')}`,
          { hidden: { step: 'withdraw' } },
        )
      }`;
  }
  if (until === null || until < request.ctx.now) return html`<p>It is too late to appeal this strike.</p>`;
  return html`<h2>Appeal</h2>
    <p>
      If you think that this is a mistake, say why. A strike can be appealed once, until ${moment(until)}.
    </p>
    ${form(
      request,
      html`${longField(
        {
          name: 'text',
          label: 'Why it is a mistake',
          autocomplete: 'off',
          hint: 'At most 2,000 characters.',
          value: tried?.fields['text'] ?? '',
          problems: tried?.byField?.['text'],
        },
        MAX_APPEAL,
      )}
      ${button('Appeal')}`,
      { hidden: { step: 'appeal' } },
    )}`;
}
