import { buttonLink } from '../design/components.ts';
import { html } from '../design/html.ts';
import { problemBox } from './forms.ts';
import type { Tried, WebRequest, WebResponse } from './page.ts';

/** The page about an action that was refused: its reason, and the way back. */
export function actionFailed({ wantsFragment }: WebRequest, tried: Tried, back: string): WebResponse {
  const problem = problemBox(tried);
  if (wantsFragment) return { fragment: html`${problem}` };
  return {
    title: 'Not possible',
    hidden: true,
    body: html`<section class="box">
      <h1>Not possible</h1>
      ${problem} ${buttonLink(back, 'Back')}
    </section>`,
  };
}
