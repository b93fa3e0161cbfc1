import {
  canResetPassword,
  normalizeEmail,
  requestPasswordReset,
  resetPassword,
} from '#commands/accounts/index.ts';
import { PASSWORD_FORGOTTEN, passwordForgotten } from '#interfaces/oauth/sign-in.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { addressField } from '../design/fields.ts';
import { html } from '../design/html.ts';
import { button, form, newPasswordFields, newPasswordOf } from '../page/forms.ts';
import { plainPage, signInFor } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { ownPath } from '../page/own-path.ts';
import { type Fields, openPage, type Tried, type WebRequest, type WebResponse } from '../page/page.ts';
import { rememberReturnPath, returnPathOf } from '../page/return-path.ts';

const RESET = '/auth/password/edit';
/** Our tokens are shorter. */
const MAX_TOKEN = 200;

/** Requests a link by mail. Neither the reply nor its time reveals whether an account has the address. */
export const forgottenPage = openPage({
  path: PASSWORD_FORGOTTEN,
  show: showForgotten,
  submit: async ({ ctx, services }, fields) => {
    const email = normalizeEmail(fields['email'] ?? '', { dotless: true });
    if (email === undefined) throw invalid('This is no e-mail address.');
    await services.limit('sign_in', `ip:${ctx.ip}`);
    await services.limit('password_reset', `email:${email}`);
    await requestPasswordReset(ctx, email);
    const then = ownPath(fields['return_to']);
    const setCookie = rememberReturnPath(then, ctx.instance);
    return {
      redirect: saying(passwordForgotten(then), 'reset_mail'),
      ...(setCookie === undefined ? {} : { setCookie }),
    };
  },
});

function showForgotten(request: WebRequest, tried?: Tried): WebResponse {
  const then = ownPath(tried?.fields['return_to'] ?? request.query.get('return_to'));
  const content = html`<p>
      Tell us the e-mail address of your account, and we send a link there with which you set a new password.
    </p>
    ${addressField({
      name: 'email',
      label: 'E-mail address',
      autocomplete: 'email',
      value: tried?.fields['email'] ?? '',
    })}
    ${button('Send the link')}`;
  const hidden = then === undefined ? {} : { return_to: then };
  const body = html`${form(request, content, { hidden })}
    <p><a href="${signInFor(then)}">Back to sign-in</a></p>`;
  return plainPage(request, 'Forgot your password?', body, tried);
}

/** The target of the link. Opening it changes nothing, because programs open links too. */
export const resetPage = openPage({
  path: RESET,
  byMail: true,
  show: async (request, tried) => {
    const token = tokenIn(tried?.fields ?? Object.fromEntries(request.query));
    if (!(await canResetPassword(request.ctx, token))) return staleLink(request);
    const content = html`${newPasswordFields(true)}
      <p class="quiet">All apps and browsers will have to sign in again.</p>
      ${button('Set the password')}`;
    const hidden = { reset_password_token: token };
    return plainPage(request, 'Set a new password', form(request, content, { hidden }), tried);
  },
  submit: async (request, fields) => {
    const password = newPasswordOf(fields);
    try {
      await resetPassword(request.ctx, { token: tokenIn(fields), password });
    } catch (error) {
      if (isRookeryError(error) && error.code === 'gone') return staleLink(request);
      throw error;
    }
    const then = returnPathOf(request);
    const forget = rememberReturnPath(undefined, request.ctx.instance);
    return {
      redirect: signInFor(then) === then ? then : saying(signInFor(then), 'password_reset'),
      ...(forget === undefined ? {} : { setCookie: forget }),
    };
  },
});

function tokenIn({ reset_password_token: token = '' }: Fields): string {
  return token.length <= MAX_TOKEN ? token : '';
}

const staleLink = (request: WebRequest): WebResponse => ({
  ...plainPage(
    request,
    'This link does not work any more',
    html`<p>It is too old, was used already, or you have changed your password or address since.</p>
      <p><a href="${PASSWORD_FORGOTTEN}">Get a new link</a></p>`,
  ),
  status: 410,
});
