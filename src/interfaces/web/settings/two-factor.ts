import encodeQr from 'qr';
import {
  disableTwoFactor,
  enableTwoFactor,
  prepareTwoFactor,
  replaceRecoveryCodes,
  totpUri,
  twoFactorOf,
} from '#commands/accounts/index.ts';
import { countOwnCode } from '#interfaces/oauth/attempts.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { codeField } from '../design/fields.ts';
import { type Html, html, trusted } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type Fields, type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { applicationsPage } from './applications.ts';
import { currentPasswordField, requirePassword } from './current-password.ts';

const TWO_FACTOR = '/settings/two-factor';
const TITLE = 'Two-factor sign-in';

/** Codes of an authenticator app in addition to the password. `step` distinguishes the forms of the page. */
export const twoFactorPage = userPage({
  path: TWO_FACTOR,
  show: async (request, tried) => {
    const { on, recoveryCodes } = await twoFactorOf(request.ctx, request.user.account_id);
    return settingsPage(request, TITLE, on ? whenOn(request, recoveryCodes) : [whenOff(request)], tried);
  },
  submit: (request, fields) => {
    switch (fields['step']) {
      case 'begin':
        return begin(request, fields);
      case 'confirm':
        return confirm(request, fields);
      case 'recovery_codes':
        return renewCodes(request, fields);
      case 'turn_off':
        return turnOff(request, fields);
      default:
        throw invalid('The form is incomplete.');
    }
  },
});

const whenOff = (request: SignedInRequest): Html =>
  html`<p>
      With it, your password alone is not enough to sign in: it also takes a code from an authenticator app on
      your phone, which shows another one every 30 seconds.
    </p>
    ${form(request, html`${currentPasswordField('current_password')} ${button('Set it up')}`, {
      hidden: { step: 'begin' },
    })}`;

const whenOn = (request: SignedInRequest, recoveryCodes: number): Html[] => [
  html`<p>Two-factor sign-in is <strong>on</strong>.</p>
    ${whatStays}`,
  html`<h2>Recovery codes</h2>
    <p>
      With one of them you can sign in when you have lost your phone. Codes that are left: ${recoveryCodes}.
      New ones make those void.
    </p>
    ${form(
      request,
      html`${currentPasswordField('password_for_codes')} ${button('Get new recovery codes', 'plain')}`,
      { hidden: { step: 'recovery_codes' } },
    )}`,
  html`<h2>Turn it off</h2>
    <p>From then on, the password alone suffices to sign in.</p>
    ${form(
      request,
      html`${currentPasswordField('password_to_turn_off')} ${codeField()} ${button('Turn it off', 'danger')}`,
      { hidden: { step: 'turn_off' } },
    )}`,
];

const whatStays = html`<p>
  Browsers that are signed in stay so, and apps keep access.
  <a href="${applicationsPage.path}">See which apps may use your account</a>.
</p>`;

async function begin(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  await requirePassword(request, fields);
  const secret = await prepareTwoFactor(request.ctx, request.user.account_id);
  return setupPage(request, secret);
}

/**
 * Shown after the password, or with the secret that the user has seen; the browser keeps it only in the form.
 */
function setupPage(request: SignedInRequest, secret: string, tried?: Tried): WebResponse {
  const { username } = request.user;
  const { domain } = request.ctx.instance;
  const uri = totpUri({ secret, username, domain });
  const box = html`<p>Scan this with your authenticator app, or type the key into it.</p>
    <div class="qr" role="img" aria-label="QR code of the key">
      ${trusted(encodeQr(uri, 'svg', { border: 4 }))}
    </div>
    <p>Key: <code class="key">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
    <p class="quiet">By time, six digits, for @${username}@${domain}.</p>
    <p>It counts once you enter the code that the app shows.</p>
    ${form(
      request,
      html`${codeField({ hint: 'Six digits from your authenticator app.', focus: true })}
      ${button('Turn it on')}`,
      { hidden: { step: 'confirm', secret } },
    )}`;
  return settingsPage(request, TITLE, [box], tried);
}

async function confirm(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  const { secret = '', code = '' } = fields;
  let codes: string[];
  try {
    codes = await enableTwoFactor(request.ctx, request.user.account_id, { secret, code });
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    if (error.code === 'gone') throw invalid(error.message);
    if (error.code !== 'invalid') throw error;
    return { ...setupPage(request, secret, { problems: [error.message], fields }), status: 422 };
  }
  return codesPage(request, codes, 'Two-factor sign-in is on.');
}

async function renewCodes(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  await requirePassword(request, fields);
  const codes = await replaceRecoveryCodes(request.ctx, request.user.account_id);
  return codesPage(request, codes, 'Your recovery codes are made anew. The ones from before work no more.');
}

/** The only time that they are shown: the page is the reply to a form, and has no address. */
const codesPage = (request: SignedInRequest, codes: readonly string[], done: string): WebResponse =>
  settingsPage(request, TITLE, [
    html`<p class="done" role="status">${done}</p>
      <h2>Your recovery codes</h2>
      <p>
        Each of them lets you in once when you have lost your phone. <strong>They are shown only now</strong>:
        print them, or keep them where you keep passwords. Without them and the app, only the operator of this
        server can let you in.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${whatStays}
      <p><a href="${TWO_FACTOR}">I have kept them</a></p>`,
  ]);

async function turnOff(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  const { ctx, user, services } = request;
  await requirePassword(request, fields);
  await countOwnCode(services.limit, user.account_id);
  await disableTwoFactor(ctx, user.account_id, fields['code'] ?? '');
  return { redirect: saying(TWO_FACTOR, 'two_factor_off') };
}
