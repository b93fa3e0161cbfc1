import { type Html, html } from './html.ts';

/** One of several pages in a row. */
export interface Step {
  path: string;
  title: string;
}

/** Renders where in a row of pages the visitor is; each can be opened. */
export const stepsOf = (label: string, steps: readonly Step[], current: string): Html => {
  const place = steps.findIndex(({ path }) => path === current);
  return html`<nav class="steps" aria-label="${label}">
    <ol>
      ${steps.map(
        ({ path, title }, index) =>
          html`<li>
            <a
              href="${path}"
              ${index < place && html`class="past"`}
              ${index === place && html`aria-current="step"`}
              ><span class="number" aria-hidden="true">${index + 1}</span><span>${title}</span></a
            >
          </li> `,
      )}
    </ol>
  </nav>`;
};

/** Returns the page after this one. */
export const stepAfter = (steps: readonly Step[], current: string, end: string): string =>
  steps[steps.findIndex(({ path }) => path === current) + 1]?.path ?? end;
