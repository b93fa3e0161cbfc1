import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import type { Fields, SignedInRequest } from '#interfaces/web/page/page.ts';
import type { ConsoleContent } from '../console-page.ts';

/** Renders what an act will do, one sentence each. */
export const sentences = (texts: readonly string[]): Html =>
  html`<h2>What this does</h2>
    <ul class="consequences">
      ${texts.map((text) => html`<li>${text}</li>`)}
    </ul>`;

interface Decision {
  /** The name of the decision, on its button. */
  label: string;
  /** The page to go back to. */
  back: string;
  danger?: boolean | undefined;
  /** The button has the focus, where no field has it. */
  focus?: boolean;
}

/** Renders the buttons that take a decision, or do not. */
export const decisionButtons = ({ label, back, danger, focus }: Decision): Html =>
  html`<div class="buttons">
    ${button(label, danger ? 'danger' : undefined, focus)} ${buttonLink(back, 'Cancel', { look: 'plain' })}
  </div>`;

/** Renders the form of a decision without fields to fill in. */
export const decisionForm = (
  request: SignedInRequest,
  decision: Omit<Decision, 'focus'>,
  sent: { action?: string; hidden?: Fields } = {},
): Html => form(request, decisionButtons({ ...decision, focus: true }), sent);

/** Renders the page of a decision that another member of staff took first. */
export const tooLate = (title: string, text: Part, more: Part): ConsoleContent => ({
  title,
  status: 409,
  body: html`<section class="box">
    <div class="error" role="alert"><p>${text}</p></div>
    ${more}
  </section>`,
});
