import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { nameLink } from '#interfaces/web/entities/byline.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';

/** Returns the path of the page with the offer to undo what was done to a thing. */
export function offeringUndo(request: SignedInRequest, undo: string): string {
  const here = hereOf(request);
  return `${here}${here.includes('?') ? '&' : '?'}undo=${encodeURIComponent(undo)}`;
}

/** Says what was done, with a button that undoes it. */
export const undoBox = (said: Part, button: { path: string; label: string; domain?: string }): Html =>
  html`<div class="done undo" role="status">
    <p>${said}</p>
    <button
      form="act"
      formaction="/web/v1/${button.path}"
      class="plain small"
      ${button.domain !== undefined && html`name="domain" value="${button.domain}"`}
    >
      ${button.label}
    </button>
  </div>`;

interface UndoOnAccount {
  said: (name: Html) => Html;
  /** The endpoint that undoes it. */
  name: string;
  label: string;
}

/** The same for the account in the address; false for an unknown one. */
export async function undoOnAccount(
  request: SignedInRequest,
  { said, name, label }: UndoOnAccount,
): Promise<Html | false> {
  const id = request.query.get('undo') ?? '';
  if (!isId(id)) return false;
  try {
    const { entity } = await request.api('GET v1/accounts/:id', { params: { id } });
    return undoBox(said(nameLink(entity, viewOf(request))), { path: `accounts/${id}/${name}`, label });
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return false;
    throw error;
  }
}
