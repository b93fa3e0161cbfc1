import { html, type Html } from '../../design/html.ts';

/** Renders what an act will do, one sentence each. */
export const sentences = (texts: readonly string[]): Html =>
  html`<h2>What this does</h2>
    <ul class="consequences">
      ${texts.map((text) => html`<li>${text}</li>`)}
    </ul>`;
