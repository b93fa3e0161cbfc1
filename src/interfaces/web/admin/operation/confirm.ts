import { html } from '#interfaces/web/design/html.ts';
import { type Notice, saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest, Tried, WebPage } from '#interfaces/web/page/page.ts';
import type { PathParams } from '#kernel/endpoint.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import type { Permission } from '#mastodon/permissions.ts';
import { actForm, type Question } from '../act-page.ts';
import { consolePage } from '../console-page.ts';

const MEANWHILE: readonly string[] = ['conflict', 'not_found'];

interface OperatorQuestion extends Omit<Question, 'back'> {
  hidden?: Fields;
  /** The page to go back to. */
  back: string;
}

interface Act<R extends SignedInRequest = SignedInRequest, Path extends string = string> {
  path: Path;
  permission?: Permission;
  ask: (request: R, tried?: Tried) => Promise<OperatorQuestion> | OperatorQuestion;
  /** Acts by the API, and returns the page to go on to. */
  act: (request: R, fields: Fields) => Promise<string>;
  notice: Notice;
}

/** Declares a page that says what an act of an operator does, and does it once they agree. */
export function confirmed<const Path extends string>(
  page: Act<SignedInRequest<PathParams<Path>>, Path>,
): WebPage;
export function confirmed({ path, permission = 'view_devops', ask, act, notice }: Act): WebPage {
  return consolePage({
    path,
    permission,
    show: async (request, tried) => {
      const { title, text, hidden = {}, ...question } = await ask(request, tried);
      return {
        title,
        back: [question.back, 'Back'],
        body: html`<section class="box">
          <div class="explained">${text}</div>
          ${actForm(request, question, { hidden })}
        </section>`,
      };
    },
    submit: async (request, fields) => {
      const page = await act(request, fields).catch(shownAbove);
      return { redirect: saying(page, notice) };
    },
  });
}

/** Shows above the form that another act was faster, such as another retry. */
function shownAbove(error: unknown): never {
  if (isRookeryError(error) && MEANWHILE.includes(error.code)) throw invalid(error.message);
  throw error;
}
