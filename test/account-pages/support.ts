import { expect } from 'chai';
import { Browser, locationOf } from '../oauth/client.ts';
import { type Element, load } from '../pages/parse.ts';
import { pushed } from '../push/support.ts';
import { linksMailedTo } from '../support/mails.ts';
import type { Answer, TestServer } from '../support/server.ts';

/** Returns the error message on a page. */
export const alertOf = ({ body }: Answer): string | undefined =>
  load(body as string)
    .one('div', { role: 'alert' })
    ?.text.trim();

/** Returns the success message on a page. */
export const doneOf = ({ body }: Answer): string | undefined =>
  load(body as string)
    .one('p', { role: 'status' })
    ?.text.trim();

/** Returns the elements of the content of a page, without those of its navigation. */
export const inMain = ({ body }: Answer, name: string): Element[] =>
  load(body as string)
    .all(name)
    .filter(({ inside }) => inside.includes('main'));

export const headingOf = ({ body }: Answer): string | undefined => load(body as string).one('h1')?.text;

/** Opens a browser and signs the user in. */
export async function signedIn(
  server: TestServer,
  login: string,
  password = `correct horse ${login}`,
): Promise<Browser> {
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  const answer = await browser.submit('/auth/sign_in', { login, password });
  expect(answer.status, alertOf(answer)).to.equal(303);
  return browser;
}

/** Opens the page that a reply redirects to. */
export const follow = (browser: Browser, answer: Answer): Promise<Answer> => {
  expect(answer.status, alertOf(answer)).to.equal(303);
  return browser.open(locationOf(answer));
};

export async function addressOf(server: TestServer, accountId: string): Promise<string> {
  const [row] = await server.app.db.query<{ email: string }>(
    'select email from users where account_id = $1',
    [accountId],
  );
  return row?.email ?? '';
}

/**
 * Waits until all mails are out. Returns the paths mailed to an address, oldest first, except those of mere
 * notices.
 */
export async function pathsMailedTo(server: TestServer, address: string): Promise<string[]> {
  await pushed(server);
  const links = await linksMailedTo(address, server.app.config.dataDir);
  return links.flatMap((link) => {
    const { pathname, search } = new URL(link);
    return pathname === '/auth/password/new' ? [] : [`${pathname}${search}`];
  });
}

/** Is the token still valid? */
export async function isTokenGood(server: TestServer, token: string): Promise<boolean> {
  const { status } = await server.call('GET', '/api/v1/accounts/verify_credentials', { token });
  return status === 200;
}
