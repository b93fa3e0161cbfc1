import { invalid } from '../kernel/errors.ts';
import { html, type Html, type Part } from '../pages/html.ts';
import type { Fields, Tried, Visit } from './page.ts';

/** The field that proves that a form is ours, and of this browser. */
export const CSRF_FIELD = 'csrf_token';

/** A form that is sent to a path of ours, by default to that of the page; `hidden` are fields that nobody sees, `multipart` is for files. */
export const form = (
  { csrf, path }: Visit,
  content: Part,
  {
    action = path,
    hidden = {},
    multipart = false,
  }: { action?: string; hidden?: Fields; multipart?: boolean } = {},
): Html =>
  html`<form
    method="post"
    action="${action}"
    class="fill-in"
    ${multipart && html`enctype="multipart/form-data"`}
  >
    ${Object.entries({ [CSRF_FIELD]: csrf, ...hidden }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${content}
  </form>`;

/** What is wrong with a form that was sent. */
export const problemBox = (tried: Tried | undefined): Html | false =>
  tried !== undefined &&
  html`<div class="error" role="alert">${tried.problems.map((problem) => html`<p>${problem}</p>`)}</div>`;

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

/** A new password, twice. */
export const newPasswordFields = (focus = false): Html =>
  html`${passwordField({
    name: 'password',
    label: 'New password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters.',
    focus,
  })}
  ${passwordField({ name: 'password_confirmation', label: 'New password again', autocomplete: 'new-password' })}`;

/** What was typed there. @throws RookeryError `invalid` where it is not twice the same */
export function newPasswordOf({ password = '', password_confirmation: again = '' }: Fields): string {
  if (password !== again) throw invalid('The two new passwords are not the same.');
  return password;
}

/** `plain` for what is not the main thing, `danger` for what cannot be undone. */
export const button = (label: string, look?: 'plain' | 'danger'): Html =>
  html`<button type="submit" ${look && html`class="${look}"`}>${label}</button>`;

const hintOf = (name: string, hint: string | undefined): Html | false =>
  hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`;

const describedBy = (name: string, hint: string | undefined): Html | false =>
  hint !== undefined && html`aria-describedby="${name}-hint"`;
