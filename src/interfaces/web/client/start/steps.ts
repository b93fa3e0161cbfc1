import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { type Step, stepAfter, stepsOf } from '#interfaces/web/design/steps.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { HOME, START } from '#interfaces/web/page/layout.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, Tried, WebResponse } from '#interfaces/web/page/page.ts';
import { summaryOf } from '#interfaces/web/page/refusals.ts';

export const PEOPLE = '/start/people';
export const FIRST_POST = '/start/post';

const STEPS: readonly Step[] = [
  { path: START, title: 'Your profile' },
  { path: PEOPLE, title: 'People to follow' },
  { path: FIRST_POST, title: 'A first post' },
];

/** Returns the page after this step. */
export const afterStep = (path: string): string => stepAfter(STEPS, path, HOME);

/** Renders one of the first steps. */
export const stepPage = (
  request: SignedInRequest,
  title: string,
  body: Part,
  tried?: Tried,
): WebResponse => ({
  title,
  hidden: true,
  body: html`${stepsOf('First steps', STEPS, request.path)}
    <section class="box">
      <h1>${title}</h1>
      ${noticeBox(request)} ${problemBox(tried && { ...tried, problems: summaryOf(tried) })} ${body}
    </section>`,
});

/** Renders the buttons at the end of a step: all can be left for later. */
export const stepButtons = (path: string, label: string): Html =>
  html`<p class="buttons">
    <button type="submit">${label}</button> ${buttonLink(afterStep(path), 'Skip', { look: 'plain' })}
  </p>`;
