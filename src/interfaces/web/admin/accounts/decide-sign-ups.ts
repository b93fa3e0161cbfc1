import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { invalid, isRookeryError, notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { AdminAccount } from '#mastodon/schemas/index.ts';
import { SIGN_UPS } from '../addresses.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { decisionForm, sentences, tooLate } from '../moderation/decision.ts';
import { personLink } from '../moderation/people.ts';
import { DECIDE, MOST_SIGN_UPS, waitingSignUps } from './sign-ups.ts';

const ACTS = {
  approve: {
    label: 'Approve',
    danger: false,
    text: 'They can use their accounts, and each gets a mail that says so.',
  },
  reject: {
    label: 'Reject',
    danger: true,
    text: 'Their accounts are removed. Their names and addresses become free again.',
  },
} as const;
type Act = keyof typeof ACTS;

/** Says what happens to the chosen sign-ups, and decides about each. */
export const decideSignUpsPage = consolePage({
  path: DECIDE,
  permission: 'manage_users',
  show: async (request, tried) => {
    const { query } = request;
    const act = actOf(tried?.fields['act'] ?? query.get('act'));
    const ids = idsIn(tried?.fields['ids']?.split(',') ?? query.getAll('id'));
    const { entity } = await waitingSignUps(request, newestOf(ids));
    const chosen = entity.filter(({ id }) => ids.includes(id));
    return {
      title: `${ACTS[act].label} ${counted(chosen.length, 'sign-up')}`,
      back: [SIGN_UPS, 'All sign-ups'],
      body: html`${
        chosen.length === 0
          ? emptyState({ icon: 'user-plus', text: 'None of the chosen sign-ups waits. Choose some first.' })
          : question(request, act, chosen)
      }`,
    };
  },
  submit: async ({ api, ...request }, fields) => {
    const act = actOf(fields['act'] ?? null);
    const ids = idsIn(fields['ids']?.split(',') ?? []);
    if (ids.length === 0) throw invalid('No sign-up is chosen.');
    const late: string[] = [];
    for (const id of ids) {
      try {
        await api(`POST v1/admin/accounts/:id/${act}`, { params: { id } });
      } catch (error) {
        if (!isRookeryError(error) || !['forbidden', 'not_found'].includes(error.code)) throw error;
        late.push(id);
      }
    }
    await request.ctx.finishWrites();
    return late.length === 0
      ? { redirect: saying(SIGN_UPS, 'sign_ups_decided') }
      : decidedMeanwhile(late.length, ids.length);
  },
});

/** @throws RookeryError `not_found` */
function actOf(name: string | null | undefined): Act {
  if (name !== 'approve' && name !== 'reject') throw notFound();
  return name;
}

const idsIn = (given: readonly string[]): string[] =>
  [...new Set(given)].filter(isId).slice(0, MOST_SIGN_UPS);

/** The chosen ones are on one page of the list, which begins with the newest of them. */
function newestOf(ids: readonly string[]): { max_id: string } {
  const [newest] = ids.map(BigInt).sort((one, other) => (one < other ? 1 : -1));
  return { max_id: String((newest ?? 0n) + 1n) };
}

const question = (request: SignedInRequest, act: Act, chosen: readonly AdminAccount[]): Html => {
  const { label, text, danger } = ACTS[act];
  return html`<section class="box decision">
    ${sentences([text])}
    <ul class="records">
      ${chosen.map(({ account }) => html`<li>${personLink(account, request)}</li>`)}
    </ul>
    ${decisionForm(
      request,
      { label: `${label} ${counted(chosen.length, 'sign-up')}`, danger, back: SIGN_UPS },
      { action: DECIDE, hidden: { act, ids: chosen.map(({ id }) => id).join(',') } },
    )}
  </section>`;
};

/** The page for sign-ups that another member of staff decided first. */
const decidedMeanwhile = (late: number, all: number): ConsoleContent =>
  tooLate(
    'Decided already',
    `${counted(late, 'sign-up')} of ${all} did not wait any longer: somebody else of the staff decided first, or they outrank you. The others are done.`,
    html`<p class="buttons">${buttonLink(SIGN_UPS, 'All sign-ups')}</p>`,
  );
