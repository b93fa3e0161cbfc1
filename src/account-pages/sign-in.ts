import { attemptSignIn } from '../oauth/sign-in.ts';
import { html } from '../pages/html.ts';
import { addressField, button, form, passwordField } from './forms.ts';
import { plainPage, SETTINGS, SIGN_IN, SIGN_OUT, signOutButton } from './layout.ts';
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
    const outcome = await attemptSignIn(services, { login, password, ip: visit.ctx.ip });
    if ('user' in outcome) {
      const signedIn = await services.sessions.signIn(session, outcome.user.account_id);
      return { redirect: ownPath(fields['return_to']) ?? SETTINGS, session: signedIn };
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
  const content = html`${addressField(
    {
      name: 'login',
      label: 'E-mail address or username',
      autocomplete: 'username',
      value: login,
      focus: login === '',
    },
    'text',
  )}
  ${passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password', focus: login !== '' })}
  ${button('Sign in')}`;
  const hidden = then === undefined ? {} : { return_to: then };
  return plainPage(visit, 'Sign in', form(visit, content, { action: SIGN_IN, hidden }), tried);
}
