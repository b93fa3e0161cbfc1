import { expect } from 'chai';
import { askForReviews } from '#commands/trends/index.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { storeRanking } from '#reactors/stored-rankings.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { still } from '../support/pictures.ts';
import type { Answer, TestServer, TestUser } from '../support/server.ts';

/** Returns the position of the last event, once all work is done. */
export async function eventsOf(server: TestServer): Promise<bigint> {
  await server.waitUntilIdle();
  return server.app.log.head();
}

/** Returns the token of the forms of a browser. */
export async function csrfOf(browser: Browser): Promise<string> {
  const { body } = await browser.open('/settings/preferences');
  const field = load(body as string)
    .all('input')
    .find(({ attributes }) => attributes['name'] === 'csrf_token');
  return field?.attributes['value'] ?? '';
}

/** Sends a form with files. */
export async function sendFile(
  server: TestServer,
  browser: Browser,
  path: string,
  fields: Record<string, string | Blob>,
): Promise<Answer> {
  const body = new FormData();
  body.set('csrf_token', await csrfOf(browser));
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const cookie = browser.cookieHeader;
  return server.call('POST', path, { body, headers: { Cookie: cookie } });
}

export const picture = async (): Promise<Blob> =>
  new Blob([new Uint8Array(await still('red'))], { type: 'image/png' });

/** Returns the actions in the audit log after an event, oldest first. */
export async function actionsAfter(server: TestServer, user: TestUser, position: bigint): Promise<string[]> {
  await eventsOf(server);
  const { body } = await server.call('GET', `/api/v1/admin/audit?since_id=${position}&limit=200`, {
    token: user.token,
  });
  return (body as AuditEntry[]).map(({ action }) => action).toReversed();
}

/** Makes one thing of each kind. Returns the address of each page about one. */
export async function makeThings(
  server: TestServer,
  { token, id }: TestUser,
  pages: readonly WebPage[],
): Promise<ReadonlyMap<string, string>> {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await server.call('POST', `/api/v1/admin/${path}`, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return (answer.body as { id: string }).id;
  };
  const emoji = new FormData();
  emoji.set('shortcode', 'heron');
  emoji.set('image', await picture(), 'heron.png');
  const first = await made('rules', { text: 'Be kind', hint: '' });
  await made('rules', { text: 'Be brief', hint: '' });
  await server.call('PUT', `/api/v1/admin/rules/${first}`, {
    token,
    body: { text: 'Sei nett', language: 'de' },
  });
  const ids: Record<string, string> = {
    domain_blocks: await made('domain_blocks', { domain: 'loud.example' }),
    domain_allows: await made('domain_allows', { domain: 'quiet.example' }),
    relays: await made('relays', { inbox_url: 'https://relay.example/inbox' }),
    email_domain_blocks: await made('email_domain_blocks', { domain: 'mail.example' }),
    canonical_email_blocks: await made('canonical_email_blocks', { email: 'bad@example.org' }),
    ip_blocks: await made('ip_blocks', { ip: '192.0.2.7', severity: 'sign_up_block' }),
    announcements: await made('announcements', { text: 'We move tonight' }),
    rules: first,
    custom_emojis: await made('custom_emojis', emoji),
    roles: id,
  };
  await askForReviews(server.app.systemContext('spec'), [{ subject: 'tag', key: 'eggs', name: 'eggs' }]);
  await storeRanking(server.app.db, 'tags', { keys: ['eggs'], now: new Date().toISOString() });
  await server.waitUntilIdle();
  return new Map(
    pages.map(({ path }) => {
      const [, , kind = ''] = path.split('/');
      const address = path
        .replace(':id', ids[kind] ?? '1')
        .replace(':role', '3')
        .replace(':name', 'title')
        .replace(':language', 'de');
      return [path, address];
    }),
  );
}
