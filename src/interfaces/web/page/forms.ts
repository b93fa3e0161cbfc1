import { invalid } from '#kernel/errors.ts';
import { passwordField } from '../design/fields.ts';
import { type Html, html, type Part } from '../design/html.ts';
import type { Fields, Tried, WebRequest } from './page.ts';

/** The field that proves that a form comes from this server, in this browser. */
export const CSRF_FIELD = 'csrf_token';

/**
 * Renders a form for a local path, by default the page's own; `hidden` are hidden fields, `multipart` is for
 * files.
 */
export const form = (
  { csrf, path }: WebRequest,
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
    ${hiddenFields(Object.entries({ [CSRF_FIELD]: csrf, ...hidden }))} ${content}
  </form>`;

/** Renders fields that are not shown; a name may come several times. */
export const hiddenFields = (fields: readonly (readonly [name: string, value: string])[]): Html[] =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

/** Renders the problems of a submitted form. */
export const problemBox = (tried: Pick<Tried, 'problems'> | undefined): Html | false =>
  tried !== undefined &&
  html`<div class="error" role="alert">${tried.problems.map((problem) => html`<p>${problem}</p>`)}</div>`;

/** Asks for a new password, twice. */
export const newPasswordFields = (focus = false): Html =>
  html`${passwordField({
    name: 'password',
    label: 'New password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters.',
    focus,
  })}
  ${passwordField({ name: 'password_confirmation', label: 'New password again', autocomplete: 'new-password' })}`;

/** Returns the new password. @throws RookeryError `invalid` when the repetition differs */
export function newPasswordOf({ password = '', password_confirmation: again = '' }: Fields): string {
  if (password !== again) throw invalid('The two new passwords are not the same.');
  return password;
}

/** `plain` is for secondary buttons, `danger` for actions that cannot be undone. */
export const button = (label: string, look?: 'plain' | 'danger', focus = false): Html =>
  html`<button type="submit" ${look && html`class="${look}"`} ${focus && html`autofocus`}>${label}</button>`;
