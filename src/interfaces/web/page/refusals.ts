import { carrying, SEE_WHY, SETUP, TOO_MANY } from '#interfaces/oauth/sign-in.ts';
import type { RookeryError } from '#kernel/errors.ts';
import { type Html, html } from '../design/html.ts';
import type { Page } from './frame.ts';
import { plainPage, signOutButton } from './layout.ts';
import type { Tried, WebRequest } from './page.ts';

/** The page for a form of another browser. Nothing was done. */
export const foreignForm = (request: WebRequest): Page =>
  plainPage(
    request,
    'This did not work',
    html`<p><a href="${request.path}">Try again</a></p>`,
    problem('This page was open for too long, or came from elsewhere. Nothing has been changed.'),
  );

/** The page for a signed-in user who may not act; `reason` comes from `whyNot`. */
export const refusedPage = (request: WebRequest, reason: string): Page =>
  plainPage(
    request,
    'Not possible',
    html`${request.newcomer?.confirmed === false && mailAgain()} ${request.lockedOut && seeWhy()}
    ${signOutButton(request)}`,
    problem(reason),
  );

/** For a form that is shown again with its contents. */
export const OPEN_TOO_LONG =
  'You were signed out meanwhile, or signed in as another account. Nothing was sent yet: please check, and send it again.';

/** For users who may read but not act. */
export const HAS_MOVED =
  'Your account leads to another one, so it can do nothing here. Take that back first, under Moving away.';

/** For users who have not confirmed their address; the page leads back to `then`. */
export const mailAgain = (then?: string): Html =>
  html`<p><a href="${carrying(SETUP, then)}">Have the mail sent again</a></p>`;

const seeWhy = (): Html => html`<p><a href="${SEE_WHY.href}">${SEE_WHY.text}</a></p>`;

/** Returns the problems of a form, one sentence each. */
export function problemsOf({ code, message, extras }: RookeryError): string[] {
  if (code === 'too_many_requests') return [TOO_MANY];
  const sentences = Object.values(problemsByField({ extras })).flat();
  return sentences.length > 0 ? sentences : [message];
}

/** Returns the problems of each field. */
export const problemsByField = ({
  extras: { details = {} },
}: Pick<RookeryError, 'extras'>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(details).map(([field, problems]) => [
      field,
      problems.map(({ description }) => `${LABELS[field] ?? labelOf(field)} ${description}.`),
    ]),
  );

/** Returns the problems to show above a form whose fields show their own. */
export function summaryOf({ problems, byField = {} }: Tried): readonly string[] {
  const wrong = Object.values(byField).flat();
  const others = problems.filter((each) => !wrong.includes(each));
  return wrong.length > 0 ? ['Nothing is saved yet: see what is said in the form.', ...others] : others;
}

const problem = (text: string): { problems: string[]; fields: Record<string, string> } => ({
  problems: [text],
  fields: {},
});

const LABELS: Readonly<Record<string, string>> = {
  username: 'The username',
  email: 'The e-mail address',
  password: 'The password',
  agreement: 'This',
  reason: 'The reason',
  text: 'The text',
  avatar_content_type: 'The picture',
  header_content_type: 'The header',
  avatar_file_size: 'The picture',
  header_file_size: 'The header',
  avatar: 'The picture',
};

/** Returns "Display name" for `display_name`. */
const labelOf = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll('_', ' ');
