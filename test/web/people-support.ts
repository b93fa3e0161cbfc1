import { expect } from 'chai';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import type { Answer, TestServer } from '../support/server.ts';

export type Page = ReturnType<typeof load>;

export const pageOf = ({ body }: Answer): Page => load(body as string);

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the labels of the buttons and of the links that look like buttons, as a screen reader names them. */
export const buttonsOf = (answer: Answer): string[] =>
  pageOf(answer)
    .elements.filter(
      ({ name, attributes }) =>
        (name === 'button' || (name === 'a' && /\bbutton\b/.test(attributes['class'] ?? ''))) &&
        attributes['href'] !== '/publish',
    )
    .map(({ attributes, text }) => attributes['aria-label'] ?? squeezed(text));

export const badgesOf = (answer: Answer): string[] =>
  pageOf(answer)
    .all('li', { class: 'badge' })
    .map(({ text }) => squeezed(text));

/** Returns the links of a page, by their text. */
export const linksOf = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    pageOf(answer)
      .all('a')
      .map(({ attributes, text }) => [squeezed(text), attributes['href'] ?? '']),
  );

/** Presses the button with this label on a page; `more` are fields of a script or of an attacker. */
export async function press(
  browser: Browser,
  answer: Answer,
  label: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const page = pageOf(answer);
  const button = page
    .all('button', { form: 'act' })
    .find(({ attributes, text }) => (attributes['aria-label'] ?? squeezed(text)) === label);
  expect(button, `${label} of ${buttonsOf(answer).join(', ')}`).not.to.equal(undefined);
  const { formaction = '', name, value = '' } = button?.attributes ?? {};
  const hidden = page
    .all('input', { type: 'hidden' })
    .filter(({ attributes }) => ['csrf_token', 'return_to'].includes(attributes['name'] ?? ''))
    .map(({ attributes }) => [attributes['name'], attributes['value']] as const);
  return browser.post(formaction, {
    ...(Object.fromEntries(hidden) as Record<string, string>),
    ...(name !== undefined && { [name]: value }),
    ...more,
  });
}

/** The same, and opens the page that it leads to. */
export async function pressed(browser: Browser, answer: Answer, label: string): Promise<Answer> {
  const done = await press(browser, answer, label);
  expect(done.status, label).to.equal(303);
  return browser.open(locationOf(done).split('#')[0] ?? '');
}

export interface Relation {
  following: boolean;
  requested: boolean;
  muting: boolean;
  muting_notifications: boolean;
  blocking: boolean;
  domain_blocking: boolean;
  followed_by: boolean;
  endorsed: boolean;
  notifying: boolean;
  showing_reblogs: boolean;
  languages: string[] | null;
  muting_expires_at: string | null;
  note: string;
}

/** Returns a user's relationship to an account, by the API. */
export async function relationTo(server: TestServer, token: string, id: string): Promise<Relation> {
  const answer = await server.call('GET', `/api/v1/accounts/relationships?id[]=${id}`, { token });
  return (answer.body as Relation[])[0]!;
}
