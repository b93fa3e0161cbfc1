import { invalid, isRookeryError } from '../../../../kernel/errors.ts';
import { buttonLink } from '../../design/components.ts';
import { html, type Html, type Part } from '../../design/html.ts';
import type { Permission } from '../../../../mastodon/permissions.ts';
import { button, form } from '../../page/forms.ts';
import { saying, type Notice } from '../../page/notices.ts';
import type { Fields, SignedInRequest, Tried, WebPage } from '../../page/page.ts';
import { consolePage } from '../console-page.ts';

const MEANWHILE: readonly string[] = ['conflict', 'not_found'];

interface Question {
  title: string;
  /** Says in plain words what will happen. */
  text: Part;
  /** The form may have fields of its own. */
  fields?: Html;
  hidden?: Fields;
  /** The name of the act, on its button. */
  label: string;
  /** The page to go back to. */
  back: string;
  look?: 'danger';
}

interface Act {
  path: string;
  permission?: Permission;
  ask: (request: SignedInRequest, tried?: Tried) => Promise<Question> | Question;
  /** Acts by the API, and returns the page to go on to. */
  act: (request: SignedInRequest, fields: Fields) => Promise<string>;
  notice: Notice;
}

/** Declares a page that says what an act of an operator does, and does it once they agree. */
export const confirmed = ({ path, permission = 'view_devops', ask, act, notice }: Act): WebPage =>
  consolePage({
    path,
    permission,
    show: async (request, tried) => {
      const { title, text, fields, hidden = {}, label, back, look } = await ask(request, tried);
      const buttons = html`${fields}
        <div class="buttons">${button(label, look)} ${buttonLink(back, 'Cancel', { look: 'plain' })}</div>`;
      return {
        title,
        body: html`<section class="box">
          <div class="explained">${text}</div>
          ${form(request, buttons, { hidden })}
        </section>`,
      };
    },
    submit: async (request, fields) => {
      const page = await act(request, fields).catch(shownAbove);
      return { redirect: saying(page, notice) };
    },
  });

/** Shows above the form that another act was faster, such as another retry. */
function shownAbove(error: unknown): never {
  if (isRookeryError(error) && MEANWHILE.includes(error.code)) throw invalid(error.message);
  throw error;
}
