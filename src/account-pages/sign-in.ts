import { attemptSignIn, passwordForgotten } from '../oauth/sign-in.ts';
import { signInFields } from '../pages/fields.ts';
import { html } from '../pages/html.ts';
import { button, form } from './forms.ts';
import { plainPage, secondStepThen, SETTINGS, SIGN_IN, SIGN_OUT, signOutButton } from './layout.ts';
import { saying } from './notices.ts';
import { ownPath } from './own-path.ts';
import { openPage, type Answer, type Tried, type Visit } from './page.ts';

/** The same sign-in as that of apps (`src/oauth/authorize.ts`), for the pages here. */
export const signInPage = openPage({
  path: SIGN_IN,
  show: showSignIn,
  submit: async (visit, fields) => {
    const { login = '', password = '' } = fields;
    const { services, session } = visit;
    const outcome = await attemptSignIn(services, session, { login, password, ip: visit.ctx.ip });
    if ('session' in outcome) {
      const then = ownPath(fields['return_to']);
      const redirect = outcome.awaitsCode ? secondStepThen(then) : (then ?? SETTINGS);
      return { redirect, session: outcome.session };
    }
    const { error, status, headers = {} } = outcome;
    return { ...showForm(visit, { problems: [error], fields }), status, headers };
  },
});

/** Who opens the address by himself is asked whether he means it. */
export const signOutPage = openPage({
  path: SIGN_OUT,
  show: (visit) => plainPage(visit, 'Sign out', signOutButton(visit, 'Sign out of this browser')),
  submit: async ({ services, session }) => ({
    redirect: saying(SIGN_IN, 'signed_out'),
    session: await services.sessions.signOut(session),
  }),
});

function showSignIn(visit: Visit, tried?: Tried): Answer {
  if (visit.user) return { redirect: ownPath(visit.query.get('return_to')) ?? SETTINGS };
  return showForm(visit, tried);
}

function showForm(visit: Visit, tried?: Tried): ReturnType<typeof plainPage> {
  const login = tried?.fields['login'] ?? '';
  const then = ownPath(tried?.fields['return_to'] ?? visit.query.get('return_to'));
  const content = html`${signInFields(login)} ${button('Sign in')}`;
  const hidden = then === undefined ? {} : { return_to: then };
  const body = html`${form(visit, content, { action: SIGN_IN, hidden })}
    <p><a href="${passwordForgotten(then)}">Forgot your password?</a></p>`;
  return plainPage(visit, 'Sign in', body, tried);
}
