import { buttonLink } from '#interfaces/web/design/components.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError, notFound } from '#kernel/errors.ts';
import type { AdminAppeal } from '#mastodon/schemas/index.ts';
import { appealPath, APPEALS } from '../addresses.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { decisionButtons, sentences, tooLate } from '../moderation/decision.ts';
import { handleLink } from '../moderation/people.ts';
import { STRIKE_NAMES } from '../moderation/words.ts';
import { moment } from '../moments.ts';
import { appealOf } from './appeal.ts';
import { appealState } from './four-eyes.ts';

const MAX_NOTE = 2_000;

const VERDICTS = {
  approve: {
    label: 'Approve',
    danger: false,
    does: ({ strike }: AdminAppeal) => [
      `The strike (${STRIKE_NAMES[strike.action]}) is overruled and counts no longer.`,
      'What it did to the account ends, unless another strike still asks for it. Deleted posts do not come back.',
    ],
  },
  reject: {
    label: 'Reject',
    danger: true,
    does: ({ strike }: AdminAppeal) => [
      `The strike (${STRIKE_NAMES[strike.action]}) stays in force. It cannot be appealed again.`,
    ],
  },
} as const;

const verdictOf = ({ params: { verdict } }: SignedInRequest<{ verdict: string }>): keyof typeof VERDICTS => {
  if (verdict !== 'approve' && verdict !== 'reject') throw notFound();
  return verdict;
};

/** Says what a decision about an appeal does, and takes it. */
export const appealActPage = consolePage({
  path: `${APPEALS}/:id/act/:verdict`,
  permission: 'manage_appeals',
  show: async (request, tried) => {
    const { label, does, danger } = VERDICTS[verdictOf(request)];
    const appeal = await appealOf(request);
    if (appeal.state !== 'pending') return decidedAlready(appeal);
    const back = appealPath(appeal.id);
    return {
      title: `${label} the appeal of @${appeal.account.account.acct}`,
      back: [back, 'The appeal'],
      body: html`<section class="box decision">
        ${sentences([...does(appeal), 'Its author is told by mail and notification, without your name.'])}
        ${form(
          request,
          html`${longField(
            {
              name: 'note',
              label: 'Your answer to them',
              autocomplete: 'off',
              hint: 'May stay empty. At most 2,000 characters.',
              value: tried?.fields['note'] ?? '',
              problems: tried?.byField?.['note'],
              focus: true,
            },
            MAX_NOTE,
          )}
          ${decisionButtons({ label: `${label} the appeal`, danger, back })}`,
        )}
      </section>`,
    };
  },
  submit: async (request, { note = '' }) => {
    const { params, api, user } = request;
    const id = params.id;
    const name = `POST v1/admin/appeals/:id/${verdictOf(request)}` as const;
    try {
      const { entity } = await api(name, { params: { id }, body: { note } });
      // Another member of staff decided the same a moment before.
      if (entity.decided_by_account?.id !== user.account_id) return decidedAlready(entity);
    } catch (error) {
      if (!isRookeryError(error) || error.code !== 'invalid') throw error;
      const appeal = await appealOf(request);
      if (appeal.state === 'pending') throw error;
      return decidedAlready(appeal);
    }
    return { redirect: saying(appealPath(id), 'appeal_decided') };
  },
});

/** The page for the second of two members of staff. */
function decidedAlready(appeal: AdminAppeal): ConsoleContent {
  const { id, state, closed_at, decided_by_account: by } = appeal;
  const who = state === 'withdrawn' ? 'Its author' : by === null ? 'The operator' : handleLink(by.account);
  return tooLate(
    'Decided already',
    html`${who} closed this appeal${closed_at !== null && html` on ${moment(closed_at)}`}. Nothing was done a
    second time.`,
    html`<p>${appealState(appeal)}</p>
      <p class="buttons">${buttonLink(appealPath(id), 'The appeal')}</p>`,
  );
}
