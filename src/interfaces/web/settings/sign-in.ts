import { attemptSignIn, passwordForgotten, signUpFor } from '#interfaces/oauth/sign-in.ts';
import { signInFields } from '../design/fields.ts';
import { html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import type { Page } from '../page/frame.ts';
import { homeOf, plainPage, secondStepThen, SIGN_IN, SIGN_OUT, signOutButton } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { ownPath } from '../page/own-path.ts';
import { openPage, type Tried, type WebRequest, type WebResponse } from '../page/page.ts';
import { mailAgain } from '../page/refusals.ts';
import { destinationOf } from './destination.ts';

/** The sign-in of apps (`src/interfaces/oauth/authorize.ts`), for the pages here. */
export const signInPage = openPage({
  path: SIGN_IN,
  show: showSignIn,
  submit: async (request, fields) => {
    const { login = '', password = '' } = fields;
    const { services, session } = request;
    const attempt = { login, password, ip: request.ctx.ip, allowsLockedOut: true };
    const outcome = await attemptSignIn(services, session, attempt);
    if ('session' in outcome) {
      const then = ownPath(fields['return_to']);
      const redirect = outcome.awaitsCode
        ? secondStepThen(then)
        : (then ?? (await destinationOf(request, outcome)));
      return { redirect, session: outcome.session };
    }
    const { error, status, headers = {}, newcomer } = outcome;
    const tried = { problems: [error], fields };
    if (!newcomer) return { ...(await showForm(request, tried)), status, headers };
    // Signed in, so that the mail can be sent again.
    const signedIn = await services.sessions.signIn(session, newcomer.account_id);
    const body = mailAgain(ownPath(fields['return_to']));
    return { ...plainPage(request, 'Sign in', body, tried), status, headers, session: signedIn };
  },
});

/** Asks a visitor who opens the address directly to confirm. */
export const signOutPage = openPage({
  path: SIGN_OUT,
  show: (request) => plainPage(request, 'Sign out', signOutButton(request, 'Sign out of this browser')),
  submit: async ({ services, session }) => ({
    redirect: saying(SIGN_IN, 'signed_out'),
    session: await services.sessions.signOut(session),
  }),
});

async function showSignIn(request: WebRequest, tried?: Tried): Promise<WebResponse> {
  const { user, lockedOut } = request;
  if (user ?? lockedOut) {
    const home = homeOf({ lockedOut: lockedOut !== undefined, moved: user?.moved === true });
    return { redirect: ownPath(request.query.get('return_to')) ?? home };
  }
  return showForm(request, tried);
}

async function showForm(request: WebRequest, tried?: Tried): Promise<Page> {
  const login = tried?.fields['login'] ?? '';
  const then = ownPath(tried?.fields['return_to'] ?? request.query.get('return_to'));
  const signUp = await signUpFor(request.ctx.db, then);
  const content = html`${signInFields(login)} ${button('Sign in')}`;
  const hidden = then === undefined ? {} : { return_to: then };
  const body = html`${form(request, content, { action: SIGN_IN, hidden })}
    <p><a href="${passwordForgotten(then)}">Forgot your password?</a></p>
    ${signUp !== undefined && html`<p><a href="${signUp}">New here? Sign up</a></p>`}`;
  return plainPage(request, 'Sign in', body, tried);
}
