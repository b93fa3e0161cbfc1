import { addressesOf, changePassword, requestEmailChange } from '#commands/accounts/index.ts';
import { invalid } from '#kernel/errors.ts';
import { addressField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { moment } from '../entities/texts.ts';
import { button, form, newPasswordFields, newPasswordOf } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type Fields, type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { currentPasswordField, requirePassword } from './current-password.ts';

const SECURITY = '/settings/security';
/** The maximum number of listed browsers. */
const MAX_BROWSERS = 20;

/** Password, e-mail address, and signed-in browsers. `step` distinguishes the forms of the page. */
export const securityPage = userPage({
  path: SECURITY,
  show: showSecurity,
  submit: (request, fields) => {
    switch (fields['step']) {
      case 'password':
        return setPassword(request, fields);
      case 'email':
        return askForAddress(request, fields);
      case 'browsers':
        return signOutOthers(request);
      default:
        throw invalid('The form is incomplete.');
    }
  },
});

async function showSecurity(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, user } = request;
  const { email, wantedEmail } = await addressesOf(ctx, user.account_id);
  const boxes = [
    passwordForm(request),
    addressForm(request, { email, wantedEmail }, tried),
    await browserList(request),
  ];
  return settingsPage(request, 'Security', boxes, tried);
}

const passwordForm = (request: SignedInRequest): Html =>
  html`<h2>Password</h2>
    ${form(
      request,
      html`${currentPasswordField('current_password')} ${newPasswordFields()}
        <p class="quiet">All apps and other browsers will have to sign in again.</p>
        ${button('Change password')}`,
      { hidden: { step: 'password' } },
    )}`;

const addressForm = (
  request: SignedInRequest,
  { email, wantedEmail }: { email: string; wantedEmail: string | null },
  tried: Tried | undefined,
): Html =>
  html`<h2>E-mail address</h2>
    <p>Your address is <strong>${email}</strong>.</p>
    ${
      wantedEmail !== null &&
      html`<p><strong>${wantedEmail}</strong> takes its place once the link that we sent there is opened.</p>`
    }
    ${form(
      request,
      html`${addressField({
        name: 'email',
        label: 'New e-mail address',
        autocomplete: 'email',
        value: tried?.fields['email'] ?? '',
      })}
      ${currentPasswordField('password_for_email')} ${button('Change address')}`,
      { hidden: { step: 'email' } },
    )}`;

async function browserList(request: SignedInRequest): Promise<Html> {
  const browsers = await request.services.sessions.signedInBrowsers(request.session, MAX_BROWSERS);
  return html`<h2>Browsers</h2>
    <ul>
      ${browsers.map(
        ({ here, since }) =>
          html`<li>${here ? 'This browser' : 'Another browser'}, since ${moment(since)}</li>`,
      )}
    </ul>
    ${browsers.length > 1 && form(request, button('Sign out all others', 'plain'), { hidden: { step: 'browsers' } })}`;
}

async function setPassword(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  const { ctx, user, services, session } = request;
  const password = newPasswordOf(fields);
  await requirePassword(request, fields);
  await changePassword(ctx, user.account_id, password);
  // All sessions end, including this one.
  const anew = await services.sessions.signIn(session, user.account_id);
  return { redirect: saying(SECURITY, 'password'), session: anew };
}

async function askForAddress(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  const { ctx, user } = request;
  await requirePassword(request, fields);
  await requestEmailChange(ctx, user.account_id, fields['email'] ?? '');
  return { redirect: saying(SECURITY, 'email') };
}

async function signOutOthers({ services, session }: SignedInRequest): Promise<WebResponse> {
  await services.sessions.signOutOthers(session);
  return { redirect: saying(SECURITY, 'browsers') };
}
