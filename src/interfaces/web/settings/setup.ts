import { addressesOf } from '#commands/accounts/index.ts';
import { sendConfirmationAgain } from '#commands/emails.ts';
import { SETUP } from '#interfaces/oauth/sign-in.ts';
import { whyNot } from '#interfaces/oauth/users.ts';
import type { Viewer } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { addressField } from '../design/fields.ts';
import { html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { plainPage, signInThen, signOutButton, START } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { ownPath } from '../page/own-path.ts';
import { openPage, type Tried, type WebRequest, type WebResponse } from '../page/page.ts';
import { rememberReturnPath, returnPathOf } from '../page/return-path.ts';

/**
 * Shows the missing steps after a sign-up: confirming the address, approval by staff. A completed user
 * continues to their destination.
 */
export const setupPage = openPage({
  path: SETUP,
  show: showSetup,
  submit: async ({ ctx, newcomer, services }, fields) => {
    if (!newcomer) return { redirect: SETUP };
    await services.limitAddress('sign_in', ctx.ip);
    const accountId = newcomer.account_id;
    switch (fields['step']) {
      case 'again':
        await sendConfirmationAgain(ctx, { accountId, applicationId: null });
        break;
      case 'address':
        if (!fields['email']?.trim()) throw invalid('Type the address that the mail is to go to.');
        await sendConfirmationAgain(ctx, { accountId, applicationId: null, email: fields['email'] });
        break;
      default:
        throw invalid('The form is incomplete.');
    }
    return { redirect: saying(SETUP, 'confirmation_mail') };
  },
});

async function showSetup(request: WebRequest, tried?: Tried): Promise<WebResponse> {
  const { newcomer, user } = request;
  if (!newcomer) {
    if (!user) return { redirect: signInThen(SETUP) };
    return { redirect: returnPathOf(request) ?? START, ...remembering(request, undefined) };
  }
  const then = ownPath(request.query.get('return_to'));
  return {
    ...(newcomer.confirmed ? waitingPage(request, newcomer) : await mailPage(request, newcomer, tried)),
    ...(then === undefined ? {} : remembering(request, then)),
  };
}

function remembering({ ctx }: WebRequest, then: string | undefined): { setCookie?: string } {
  const setCookie = rememberReturnPath(then, ctx.instance);
  return setCookie === undefined ? {} : { setCookie };
}

const waitingPage = (request: WebRequest, newcomer: Viewer): ReturnType<typeof plainPage> =>
  plainPage(
    request,
    'Staff looks at your sign-up',
    html`<p>${whyNot(newcomer)}</p>
      ${signOutButton(request)}`,
  );

async function mailPage(
  request: WebRequest,
  newcomer: Viewer,
  tried: Tried | undefined,
): Promise<ReturnType<typeof plainPage>> {
  const { email } = await addressesOf(request.ctx, newcomer.account_id);
  const { byField = {}, fields = {} } = tried ?? {};
  const body = html`<p>
      We sent a mail to <strong>${email}</strong>. Please open the link in it within two days: then the
      address is
      confirmed${newcomer.approved ? ', and you can use your account' : ', and staff looks at your sign-up. You get another mail when that is done'}.
    </p>
    <p><a href="${SETUP}">I have opened the link</a></p>
    <h2>No mail?</h2>
    <p>It may be where unwanted mail goes. Else have it sent again, or mend the address if it is wrong.</p>
    ${form(request, button('Send it again', 'plain'), { hidden: { step: 'again' } })}
    ${form(
      request,
      html`${addressField({
        name: 'email',
        label: 'Another e-mail address',
        autocomplete: 'email',
        value: fields['email'] ?? '',
        problems: byField['email'],
      })}
      ${button('Send it there', 'plain')}`,
      { hidden: { step: 'address' } },
    )}
    ${signOutButton(request)}`;
  return plainPage(request, 'Check your mail', body, tried);
}
