import type { RookeryError } from '../kernel/errors.ts';
import type { Page } from '../pages/frame.ts';
import { html } from '../pages/html.ts';
import { plainPage, signOutButton } from './layout.ts';
import type { Visit } from './page.ts';

/** A form that is none of this browser's. Nothing was done. */
export const foreignForm = (visit: Visit): Page =>
  plainPage(
    visit,
    'This did not work',
    html`<p><a href="${visit.path}">Try again</a></p>`,
    problem('This page was open for too long, or came from elsewhere. Nothing has been changed.'),
  );

/** Who is signed in, but may do nothing here; `reason` as `whyNot` gives it. */
export const refusedPage = (visit: Visit, reason: string): Page =>
  plainPage(visit, 'Not possible', signOutButton(visit), problem(reason));

/** What is wrong with a form, one sentence for each problem. */
export function problemsOf({ message, extras: { details } }: RookeryError): string[] {
  const sentences = Object.entries(details ?? {}).flatMap(([field, problems]) =>
    problems.map(({ description }) => `${LABELS[field] ?? labelOf(field)} ${description}.`),
  );
  return sentences.length > 0 ? sentences : [message];
}

const problem = (text: string): { problems: string[]; fields: Record<string, string> } => ({
  problems: [text],
  fields: {},
});

const LABELS: Readonly<Record<string, string>> = { email: 'The e-mail address', password: 'The password' };

/** `display_name` is "Display name". */
const labelOf = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll('_', ' ');
