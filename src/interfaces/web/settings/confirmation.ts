import { confirm } from '#commands/accounts/index.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { signUpApplication } from '#queries/accounts/index.ts';
import { buttonLink } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { HOME, plainPage, signInFor, START } from '../page/layout.ts';
import { openPage, type WebRequest, type WebResponse } from '../page/page.ts';
import { mailAgain } from '../page/refusals.ts';
import { rememberReturnPath, returnPathOf } from '../page/return-path.ts';

/** Our tokens are shorter. */
const MAX_TOKEN = 200;

/**
 * `GET /auth/confirmation`: the target of the link in the confirmation mail. The link alone suffices. The
 * page leads to the app of the sign-up, or to the page that this browser visited before it.
 */
export const confirmationPage = openPage({
  path: '/auth/confirmation',
  byMail: true,
  show: async (request) => {
    const token = request.query.get('confirmation_token') ?? '';
    try {
      return await answer(request, token.length <= MAX_TOKEN ? token : '');
    } catch (error) {
      if (!isRookeryError(error)) throw error;
      return failed(request, error.code);
    }
  },
});

async function answer(request: WebRequest, token: string): Promise<WebResponse> {
  const { ctx } = request;
  const { isNew, user } = await confirm(ctx, token);
  const applicationId = user?.applicationId ?? null;
  if (isNew && applicationId !== null) {
    const application = await signUpApplication(ctx.db, applicationId);
    if (application?.returnUri !== undefined) return { redirect: application.returnUri };
  }
  if (user?.approved === false) {
    const text =
      'Your e-mail address is confirmed. The moderators review your sign-up now; you get a mail when it is done.';
    return plainPage(request, 'Confirmed', html`<p>${text}</p>`);
  }
  return confirmedHere(request, token, { isNew, byApp: applicationId !== null });
}

/** Leads on in the browser of the sign-up; elsewhere the page says how to sign in. */
function confirmedHere(
  request: WebRequest,
  token: string,
  { isNew, byApp }: { isNew: boolean; byApp: boolean },
): WebResponse {
  const then = byApp ? undefined : returnPathOf(request);
  const forget = rememberReturnPath(undefined, request.ctx.instance);
  const forgetting = forget === undefined ? {} : { setCookie: forget };
  if (then !== undefined && signInFor(then) === then) return { redirect: then, ...forgetting };
  const isHere = token.split('.', 1)[0] === request.session.accountId;
  if (isHere && isNew && !byApp) return { redirect: then ?? START, ...forgetting };
  return plainPage(request, 'Confirmed', confirmed(request, isHere, then));
}

const confirmed = ({ ctx }: WebRequest, isHere: boolean, then: string | undefined): Html =>
  isHere
    ? html`<p>Your e-mail address is confirmed.</p>
        <p>${buttonLink(then ?? HOME, 'Continue')}</p>`
    : html`<p>
          Your e-mail address is confirmed. You can sign in now, in your app or
          <a href="${signInFor(then)}">here</a>.
        </p>
        <p>
          An app asks for the server: this one is <strong>${new URL(ctx.instance.origin).host}</strong>.
        </p>`;

/** The link has been used, also when something else failed. */
function failed(request: WebRequest, code: string): WebResponse {
  if (code === 'unavailable' || code === 'conflict') {
    const text = 'Please wait a moment, have a new link sent to you and open that one.';
    const page = plainPage(
      request,
      'Not now',
      html`<p>${text}</p>
        ${mailAgain()}`,
    );
    return { ...page, status: 503, headers: { 'Retry-After': '5' } };
  }
  const text = 'It is too old, or was made for another address. Your app can send you a new one.';
  const page = plainPage(
    request,
    'This link does not work any more',
    html`<p>${text}</p>
      ${mailAgain()}`,
  );
  return { ...page, status: 410 };
}
