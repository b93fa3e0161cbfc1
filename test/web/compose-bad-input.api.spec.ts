import { expect } from 'chai';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { BAD_BODIES, BAD_JSON, BAD_TEXTS, bodyWith, JSON_TYPE } from '../support/bad-input.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { valueOf } from './filled-form.ts';

/** The fields of each form. None has a text, so that nothing is posted or changed. */
const COMPOSER = [
  ...[
    'visibility',
    'language',
    'sensitive',
    'media_ids',
    'media_ids[]',
    'poll',
    'poll.options',
    'poll.options[]',
  ],
  ...['poll.expires_in', 'poll.multiple', 'scheduled_at', 'zone', 'in_reply_to_id', 'quoted_status_id'],
  ...['quote_approval_policy', 'key', 'return_to', 'do', 'description_1', 'focus_1', 'more'],
];

describe('Bad input to the composer', function () {
  this.timeout(120_000);
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser;
  let own = '';
  let scheduled = '';

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    browser = await signedIn(server, 'alice');
    const post = async (body: object): Promise<string> =>
      (await server.call('POST', '/api/v1/statuses', { token: alice.token, body })).body.id as string;
    own = await post({ status: 'There' });
    scheduled = await post({
      status: 'Later',
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await server.waitUntilIdle();
  });
  after(() => server.close());

  const forms: Record<string, { path: () => string; fields: readonly string[]; given?: object }> = {
    'a new post': { path: () => '/publish', fields: COMPOSER },
    'an edit': { path: () => `/@alice/${own}/edit`, fields: COMPOSER },
    'another time': { path: () => `/scheduled/${scheduled}`, fields: ['scheduled_at', 'zone'] },
  };
  for (const [what, { path, fields }] of Object.entries(forms)) {
    it(`never breaks ${what}, and changes nothing`, async () => {
      const csrf_token = valueOf(await browser.open('/publish'), 'csrf_token');
      const cookie = browser.cookieHeader;
      const bad = [
        ...BAD_BODIES.map((each) => ({ ...each, what: each.what })),
        ...fields.flatMap((name) =>
          [...BAD_JSON, ...BAD_TEXTS.map((text) => JSON.stringify(text))].map((text) => ({
            what: `${name}: ${text.slice(0, 60)}`,
            headers: JSON_TYPE,
            body: bodyWith(name, text, { csrf_token }),
          })),
        ),
      ];
      const before = await server.app.log.head();
      const problems: string[] = [];
      for (const { what: name, headers, body } of bad) {
        const answer = await server.call('POST', path(), {
          headers: { ...headers, Cookie: cookie },
          body: typeof body === 'string' ? body : new TextDecoder('latin1').decode(body),
        });
        const harmless = /^(?:do|more|key|return_to): /.test(name);
        if (answer.status >= 500 || (answer.status === 303 && !harmless))
          problems.push(`${name}: ${answer.status}`);
        if (String(answer.body).includes('<script>')) problems.push(`${name}: runs`);
      }
      expect(problems).to.deep.equal([]);
      expect(await server.app.log.head()).to.equal(before);
    });
  }

  it('never breaks for addresses that mean nothing', async () => {
    const names = [
      'in_reply_to_id',
      'quoted_status_id',
      'mention',
      'visibility',
      'text',
      'return_to',
      'max_id',
    ];
    for (const name of names) {
      for (const text of BAD_TEXTS) {
        for (const path of ['/publish', '/scheduled']) {
          const { status, body } = await browser.open(`${path}?${name}=${encodeURIComponent(text)}`);
          expect(status, `${name}=${text}`).to.equal(200);
          expect(body).not.to.contain('<script>');
        }
      }
    }
  });
});
