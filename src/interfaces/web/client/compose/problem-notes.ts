import { type Html, html } from '#interfaces/web/design/html.ts';
import type { Desk } from './desk.ts';
import type { Place } from './problems.ts';

type Problems = Pick<Desk, 'problems'>;

/** Renders all problems above a form. */
export const problemsOn = ({ problems }: Problems): Html | false =>
  problems.length > 0 &&
  html`<div class="error" role="alert">${problems.map(({ text }) => html`<p>${text}</p>`)}</div>`;

/** Renders the problems of one part beside it. */
export function problemsAt({ problems }: Problems, place: Place): Html | false {
  const here = problems.filter((each) => each.place === place);
  return (
    here.length > 0 &&
    html`<p class="wrong" id="${place}-problem">${here.map(({ text }) => text).join(' ')}</p>`
  );
}
