import { html, type Html } from './html.ts';

interface FieldOptions {
  name: string;
  /** Where two forms of a page have a field of the same name. */
  id?: string;
  label: string;
  /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  autocomplete: string;
  value?: string;
  /** Said below the field. */
  hint?: string;
  focus?: boolean;
}

/** A password; never filled in by us. */
export const passwordField = ({
  name,
  id = name,
  label,
  autocomplete,
  hint,
  focus = false,
}: FieldOptions): Html =>
  html`<label for="${id}">${label}</label>
    ${hintOf(id, hint)}
    <input
      type="password"
      id="${id}"
      name="${name}"
      autocomplete="${autocomplete}"
      maxlength="1000"
      required
      ${describedBy(id, hint)}
      ${focus && html`autofocus`}
    />`;

/** An e-mail address, or what somebody signs in with (`type="text"`). */
export const addressField = (
  { name, label, autocomplete, value = '', hint, focus = false }: FieldOptions,
  type: 'email' | 'text' = 'email',
): Html =>
  html`<label for="${name}">${label}</label>
    ${hintOf(name, hint)}
    <input
      type="${type}"
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="${autocomplete}"
      autocapitalize="none"
      autocorrect="off"
      spellcheck="false"
      inputmode="email"
      maxlength="320"
      required
      ${describedBy(name, hint)}
      ${focus && html`autofocus`}
    />`;

/** Who signs in, with what was typed before. */
export const signInFields = (login: string): Html =>
  html`${addressField(
    {
      name: 'login',
      label: 'E-mail address or username',
      autocomplete: 'username',
      value: login,
      focus: login === '',
    },
    'text',
  )}
  ${passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password', focus: login !== '' })}`;

/** The code of the second step; never filled in by us. */
export const codeField = ({
  hint = 'Six digits from your authenticator app, or one of your recovery codes.',
  focus = false,
}: { hint?: string; focus?: boolean } = {}): Html =>
  html`<label for="code">Code</label>
    ${hintOf('code', hint)}
    <input
      type="text"
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      autocorrect="off"
      spellcheck="false"
      maxlength="100"
      required
      ${describedBy('code', hint)}
      ${focus && html`autofocus`}
    />`;

const hintOf = (name: string, hint: string | undefined): Html | false =>
  hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`;

const describedBy = (name: string, hint: string | undefined): Html | false =>
  hint !== undefined && html`aria-describedby="${name}-hint"`;
