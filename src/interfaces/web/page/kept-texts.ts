import { buttonLink } from '../design/components.ts';
import { html, type Part } from '../design/html.ts';
import { plainPage, signInThen } from './layout.ts';
import { ownPath } from './own-path.ts';
import type { Tried, WebRequest, WebResponse } from './page.ts';

/**
 * Makes the `keep` of a page: shows the texts of a form that could not be taken, to copy. `labels` has the names
 * of the fields.
 */
export const keepTexts =
  (labels: Readonly<Record<string, string>>) =>
  (request: WebRequest, { problems, fields }: Tried): WebResponse => {
    const texts = Object.entries(labels).map(([name, label]): Part => {
      const text = fields[name] ?? '';
      return (
        text !== '' &&
        html`<label for="kept-${name}">${label}, to copy</label>
          <textarea id="kept-${name}" readonly dir="auto">${text}</textarea>`
      );
    });
    const again = request.user
      ? buttonLink(ownPath(request.path) ?? '/', 'Open the form again')
      : buttonLink(signInThen(ownPath(request.path)), 'Sign in and open the form again');
    return plainPage(request, 'Nothing was saved', html`${texts} ${again}`, { problems, fields });
  };
