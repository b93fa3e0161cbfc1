import { type Html, html } from '#interfaces/web/design/html.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';

/** Says why a form was not taken, and what to do; `button` sends it again. */
export const keptNote = ({ user }: WebRequest, problems: readonly string[], button: string): Html =>
  user
    ? html`<div class="error" role="alert">
        ${problems.map((problem) => html`<p>${problem}</p>`)}
        <p>This will be posted as <strong dir="ltr">@${user.username}</strong>.</p>
      </div>`
    : html`<div class="error" role="alert">
        <p>You were signed out. Nothing is lost: what you typed is below.</p>
        <p>
          <a href="/auth/sign_in" target="_blank" rel="noopener">Sign in in a new tab</a>, then press
          “${button}” here.
        </p>
      </div>`;
