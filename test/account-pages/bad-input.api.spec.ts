import { expect } from 'chai';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { BAD_BODIES, BAD_JSON, BAD_TEXTS, bodyWith, JSON_TYPE } from '../support/bad-input.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { signedIn } from './support.ts';

/** What the forms send, besides the token. Passwords that are asked for again are missing, so nothing can be done. */
const FORMS: Record<string, string[]> = {
  '/auth/sign_in': ['login'],
  '/auth/password/new': ['email', 'return_to'],
  '/auth/password/edit': ['reset_password_token', 'password', 'password_confirmation'],
  '/auth/sign_up': ['username', 'email', 'password', 'agreement', 'reason', 'return_to'],
  '/auth/setup': ['step', 'email'],
  '/auth/second_step': ['code', 'return_to'],
  '/settings/security': ['step', 'email'],
  '/settings/two-factor': ['step', 'code', 'secret'],
  '/settings/applications': ['application_id'],
  '/authorize_interaction': ['account_id', 'uri'],
  // Without a text, so that nothing is posted.
  '/share': ['visibility', 'key'],
  '/settings/aliases': ['step', 'handle', 'uri'],
  '/settings/migration': ['step', 'handle', 'current_password'],
  // Of nobody, so that nothing can be done; test/strikes/pages.spec.ts has one of somebody.
  '/disputes/strikes/100000000000000000': ['step', 'text'],
  '/settings/delete': ['current_password'],
  '/settings/export': ['csrf_token'],
};
/** What a form with one bad field may come to by right: one that is ignored, an app that has no tokens, a first step that is to be done again. */
const HARMLESS = new Set(['/auth/password/new', '/auth/second_step', '/settings/applications']);

describe('bad input, to the pages for accounts', function () {
  this.timeout(120_000);
  let server: TestServer;
  let alice: Browser;

  before(async () => {
    server = await startTestServer();
    await server.user('alice');
    alice = await signedIn(server, 'alice');
  });
  after(() => server.close());

  /** Whom a page is for, where it is for nobody who may come in. */
  const VISITORS: Record<string, () => Promise<Browser>> = {
    '/auth/sign_up': async () => new Browser(server),
    '/auth/setup': async () => {
      await server.user('newcomer', { confirmed: false });
      const browser = new Browser(server);
      await browser.open('/auth/sign_in');
      await browser.submit('/auth/sign_in', { login: 'newcomer', password: 'correct horse newcomer' });
      return browser;
    },
  };
  const STEPS: Record<string, string> = { '/auth/setup': 'address', '/settings/aliases': 'add' };

  for (const [path, fields] of Object.entries(FORMS)) {
    it(`POST ${path}`, async () => {
      const visitor = (await VISITORS[path]?.()) ?? alice;
      const page = await visitor.open(VISITORS[path] ? path : '/settings');
      expect(page.status).to.equal(200);
      const csrf = load(page.body as string).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const given = { csrf_token: csrf, login: 'alice', step: STEPS[path] ?? 'email' };
      const bad = [
        ...BAD_BODIES,
        ...fields.flatMap((name) => [
          ...BAD_JSON.map((text) => ({
            what: `${name}: ${text.slice(0, 60)}`,
            headers: JSON_TYPE,
            body: bodyWith(name, text, given),
          })),
          ...BAD_TEXTS.map((text) => ({
            what: `${name}=${text.slice(0, 60)}`,
            headers: {},
            body: new URLSearchParams({ ...given, [name]: text }),
          })),
        ]),
      ];
      const before = await server.app.log.head();
      const problems: string[] = [];
      for (const { what, headers, body } of bad) {
        const response = await fetch(`${server.url}${path}`, {
          ...{ method: 'POST', redirect: 'manual', body },
          headers: { ...headers, Cookie: cookie },
        });
        const text = await response.text();
        const { status } = response;
        if (status >= 500 || (status < 400 && !HARMLESS.has(path))) problems.push(`${what}: ${status}`);
        if (!/^\//.test(response.headers.get('location') ?? '/')) problems.push(`${what}: led elsewhere`);
        if (text.includes('<script')) problems.push(`${what}: ${text.slice(0, 200)}`);
      }
      expect(problems).to.deep.equal([]);
      expect(await server.app.log.head()).to.equal(before);
    });
  }
});
