import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { notFound } from '#kernel/errors.ts';
import type { AdminAccount } from '#mastodon/schemas/index.ts';
import { accountPath, ACCOUNTS } from '../addresses.ts';
import { admit, type ConsoleContent, consolePage } from '../console-page.ts';
import { type Lifting, LIFTINGS, type Sanction, SANCTIONS, sanctionsFor } from '../moderation/acts.ts';
import { decisionForm, sentences, tooLate } from '../moderation/decision.ts';
import { sanctionBody, sanctionForm } from '../moderation/sanction-form.ts';

const accountOf = async ({ api, params }: SignedInRequest<{ id: string }>): Promise<AdminAccount> =>
  (await api('GET v1/admin/accounts/:id', { params: { id: params.id } })).entity;

const sanctionIn = (
  sanctions: readonly Sanction[],
  { params }: SignedInRequest<{ type: string }>,
): Exclude<Sanction, { onPosts: true }> | undefined =>
  sanctions.filter((each) => !each.onPosts).find(({ type }) => type === params.type);

/** @throws RookeryError `not_found` for another name, `forbidden` for roles without its permission */
function liftingOf(request: SignedInRequest<{ type: string }>): Lifting {
  const lifting = LIFTINGS.find(({ type }) => type === request.params.type);
  if (!lifting) throw notFound();
  if (lifting.permission) admit(request, lifting.permission);
  return lifting;
}

/** Says what a decision about an account does, and takes it. */
export const accountActPage = consolePage({
  path: `${ACCOUNTS}/:id/act/:type`,
  permission: 'manage_users',
  show: async (request, tried) => {
    const account = await accountOf(request);
    const name = `@${account.account.acct}`;
    const back = accountPath(account.id);
    const content = (label: string, body: Html): ConsoleContent => ({
      title: `${label}: ${name}`,
      back: [back, 'The account'],
      body: html`<section class="box decision">${body}</section>`,
    });
    const sanction = sanctionIn(sanctionsFor(account, 0), request);
    if (sanction) {
      const more = alsoDone(sanction.type);
      return content(sanction.label, sanctionForm(request, sanction, { account, back, more }, tried));
    }
    const lifting = liftingOf(request);
    if (!lifting.applies(account)) return decidedAlready(account, lifting);
    return content(
      lifting.label,
      html`${sentences(lifting.does(name))} ${decisionForm(request, { ...lifting, back })}`,
    );
  },
  submit: async (request, fields) => {
    const { api, params } = request;
    const asked = { params: { id: params.id } };
    const sanction = sanctionIn(SANCTIONS, request);
    if (sanction) {
      await api('POST v1/admin/accounts/:id/action', { ...asked, body: sanctionBody(sanction, fields) });
      return { redirect: saying(accountPath(asked.params.id), 'account_decided') };
    }
    const lifting = liftingOf(request);
    const account = await accountOf(request);
    if (!lifting.applies(account)) return decidedAlready(account, lifting);
    await api(endpointOf(lifting), asked);
    const isGone = lifting.type === 'reject' || lifting.type === 'delete_data';
    return { redirect: saying(isGone ? ACCOUNTS : accountPath(account.id), 'account_decided') };
  },
});

const endpointOf = ({ type }: Lifting) =>
  type === 'delete_data' ? 'DELETE v1/admin/accounts/:id' : (`POST v1/admin/accounts/:id/${type}` as const);

const alsoDone = (type: string): string[] =>
  type === 'none' ? [] : ['All unresolved reports about this account are resolved.'];

/** The page where a decision no longer applies, because it was taken meanwhile. */
const decidedAlready = ({ id, account }: AdminAccount, { label }: Lifting): ConsoleContent =>
  tooLate(
    'Nothing to do',
    `“${label}” does not apply to @${account.acct} as the account is now. Perhaps somebody else of the staff was faster. Nothing was done.`,
    html`<p class="buttons">${buttonLink(accountPath(id), 'The account')}</p>`,
  );
