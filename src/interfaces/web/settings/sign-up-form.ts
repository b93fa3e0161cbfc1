import { MAX_REASON, MAX_USERNAME_LENGTH } from '#commands/accounts/index.ts';
import { SIGN_UP } from '#interfaces/oauth/sign-in.ts';
import type { InstanceFacts } from '#queries/instance/index.ts';
import { addressField, longField, passwordField, tickField, usernameField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import type { Tried, WebRequest } from '../page/page.ts';

interface Shown {
  facts: InstanceFacts;
  /** Staff approve sign-ups, and may ask for the reason. */
  asksWhy: boolean;
  /** The destination afterwards. */
  then: string | undefined;
  tried: Tried | undefined;
}

const FIELDS = ['username', 'email', 'password', 'reason', 'agreement'] as const;

/** Renders the form of a sign-up, with the submitted values except the password, and their problems. */
export function signUpForm(request: WebRequest, { facts, asksWhy, then, tried }: Shown): Html {
  const { byField = {}, fields = {} } = tried ?? {};
  const first = FIELDS.find((name) => byField[name] !== undefined) ?? 'username';
  const of = (name: (typeof FIELDS)[number]) => ({
    name,
    value: fields[name] ?? '',
    problems: byField[name],
    focus: name === first,
  });
  const { domain } = request.ctx.instance;
  const content = html`${usernameField(
    {
      ...of('username'),
      label: 'Username',
      autocomplete: 'username',
      hint: `Letters from a to z, digits and underscores. Others find you as @username@${domain}; it cannot be changed.`,
    },
    MAX_USERNAME_LENGTH,
  )}
  ${addressField({
    ...of('email'),
    label: 'E-mail address',
    autocomplete: 'email',
    hint: 'We send a link there that you have to open. It is not shown to others here.',
  })}
  ${passwordField({
    ...of('password'),
    label: 'Password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters.',
  })}
  ${
    asksWhy &&
    longField(
      {
        ...of('reason'),
        label: 'Why do you want to join? (You may leave this out.)',
        autocomplete: 'off',
        hint: 'Staff reads it.',
      },
      MAX_REASON,
    )
  }
  ${tickField({ ...of('agreement'), label: agreementTo(facts), ticked: tried?.fields['agreement'] === 'true' })}
  ${button('Sign up')}`;
  return form(request, content, { action: SIGN_UP, hidden: then === undefined ? {} : { return_to: then } });
}

/** Links to the rules and terms that exist; they open in another tab, so that the form is not lost. */
function agreementTo({ rules, hasTerms }: InstanceFacts): Html {
  const beside = (path: string, text: string): Html =>
    html`<a href="${path}" target="_blank" rel="noopener">${text}</a>`;
  const texts = [
    ...(rules.length > 0 ? [beside('/about', 'rules')] : []),
    ...(hasTerms ? [beside('/terms-of-service', 'terms of service')] : []),
    beside('/privacy-policy', 'privacy policy'),
  ];
  const list = texts.map((text, index) => {
    const before = index === 0 ? '' : index === texts.length - 1 ? ' and the ' : ', the ';
    return html`${before}${text}`;
  });
  return html`I agree to the ${list} of this server`;
}
