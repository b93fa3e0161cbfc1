import type { PathParams } from '#kernel/endpoint.ts';
import type { Permission } from '#mastodon/permissions.ts';
import { buttonLink } from '../design/components.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import type { Fields, Files, PageOf, SignedInRequest, Tried, WebPage } from '../page/page.ts';
import { type ConsoleContent, consolePage } from './console-page.ts';

/** A form of staff, or the question before an act. */
export interface Question {
  title: string;
  /** Says in plain words what will happen. */
  text: Part;
  /** The fields to fill in. */
  fields?: Part;
  /** The name of the act, on its button. */
  label: string;
  look?: 'danger';
  /** The page to go back to, and its name. */
  back: readonly [href: string, title: string];
}

interface Act<R extends SignedInRequest = SignedInRequest, Path extends string = string> extends Pick<
  PageOf<R, Path>,
  'path' | 'files' | 'longTexts' | 'nested' | 'keep'
> {
  permission: Permission;
  ask: (request: R, tried?: Tried) => Promise<Question> | Question;
  /** Acts, and returns the page to go on to, or one that asks once more. */
  act: (request: R, fields: Fields, files: Files) => Promise<string | ConsoleContent>;
}

/** Declares a page that says what an act will do, and does it once its form is sent. */
export function actPage<const Path extends string>(
  page: Act<SignedInRequest<PathParams<Path>>, Path>,
): WebPage;
export function actPage({ ask, act, ...page }: Act): WebPage {
  return consolePage({
    ...page,
    show: async (request, tried) =>
      questionPage(request, await ask(request, tried), {
        multipart: page.files !== undefined || page.longTexts === true,
      }),
    submit: async (request, fields, files) => {
      const after = await act(request, fields, files);
      return typeof after === 'string' ? { redirect: after } : after;
    },
  });
}

/** Renders the question, with hidden fields that the form sends along. */
export const questionPage = (
  request: SignedInRequest,
  { title, text, fields, label, look, back }: Question,
  { multipart = false, hidden = {} }: { multipart?: boolean; hidden?: Fields } = {},
): ConsoleContent => ({
  title,
  back,
  body: html`<section class="box">
    ${isPlain(text) ? html`<p>${text}</p>` : text}
    ${actForm(request, { fields, label, look, back: back[0] }, { multipart, hidden })}
  </section>`,
});

/** Renders the form of an act: its fields, its button, and the way back. */
export const actForm = (
  request: SignedInRequest,
  { fields, label, look, back }: { fields?: Part; label: string; look?: 'danger' | undefined; back: string },
  options: { multipart?: boolean; hidden?: Fields } = {},
): Html =>
  form(
    request,
    html`${fields}
      <div class="buttons">${button(label, look)} ${buttonLink(back, 'Cancel', { look: 'plain' })}</div>`,
    options,
  );

const isPlain = (text: Part): boolean => typeof text === 'string';

/** Renders links to acts on one row of a table. */
export const rowLinks = (
  name: string,
  links: readonly (readonly [href: string, text: string] | false)[],
): Html =>
  html`<span class="row-links"
    >${links.map(
      (link) => link && html`<a href="${link[0]}" aria-label="${`${link[1]}: ${name}`}">${link[1]}</a> `,
    )}</span
  >`;
