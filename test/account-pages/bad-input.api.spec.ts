import { expect } from 'chai';
import { script } from '#interfaces/web/browser/script.ts';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { BAD_BODIES, BAD_JSON, BAD_TEXTS, bodyWith, JSON_TYPE } from '../support/bad-input.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { signedIn } from './support.ts';

/**
 * The fields of each form, besides the CSRF token. The current password is missing where a page asks for it,
 * so that no form can change anything.
 */
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
  // Without a text, so that nothing is posted.
  '/publish': ['visibility', 'key', 'in_reply_to_id', 'language'],
  '/start/post': ['visibility', 'key'],
  '/start/people': ['follow[]'],
  // For users without a role, it is missing.
  '/start/server': ['title', 'accent_color'],
  '/start/server/rules': ['step', 'id', 'text'],
  '/start/server/registrations': ['registrations'],
  // With a step that removes nothing; test/web/profile.api.spec.ts has the others.
  '/settings/profile': ['step', 'id', 'name'],
  '/settings/aliases': ['step', 'handle', 'uri'],
  '/settings/migration': ['step', 'handle', 'current_password'],
  // A strike of no account, so that nothing can be changed. test/strikes/pages.api.spec.ts sends input for a real
  // strike.
  '/disputes/strikes/100000000000000000': ['step', 'text'],
  '/settings/delete': ['current_password'],
  '/settings/export': ['csrf_token'],
};
/**
 * Forms that may succeed with one bad field: it is ignored, the app has no tokens, no account is followed, or the
 * first step starts again.
 */
const HARMLESS = new Set([
  ...['/auth/password/new', '/auth/second_step', '/settings/applications', '/start/people'],
]);

const OWN_SCRIPT = `<script type="module" src="${script.path}"></script>`;

describe('Bad input to the account pages', function () {
  this.timeout(120_000);
  let server: TestServer;
  let alice: Browser;

  before(async () => {
    server = await startTestServer();
    await server.user('alice');
    alice = await signedIn(server, 'alice');
  });
  after(() => server.close());

  /** Visitors for pages that a signed-in user cannot open. */
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
  const STEPS: Record<string, string> = {
    '/auth/setup': 'address',
    '/settings/aliases': 'add',
    '/settings/profile': 'unfeature',
  };

  for (const [path, fields] of Object.entries(FORMS)) {
    it(`never breaks POST ${path} and changes nothing`, async () => {
      const visitor = (await VISITORS[path]?.()) ?? alice;
      const page = await visitor.open(VISITORS[path] ? path : '/settings');
      expect(page.status).to.equal(200);
      const csrf = load(page.body as string).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';
      const cookie = visitor.cookieHeader;
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
          method: 'POST',
          redirect: 'manual',
          body,
          headers: { ...headers, Cookie: cookie },
        });
        const text = await response.text();
        const { status } = response;
        if (status >= 500 || (status < 400 && !HARMLESS.has(path))) problems.push(`${what}: ${status}`);
        if (!/^\//.test(response.headers.get('location') ?? '/')) problems.push(`${what}: led elsewhere`);
        if (text.replace(OWN_SCRIPT, '').includes('<script')) problems.push(`${what}: ${text.slice(0, 200)}`);
      }
      expect(problems).to.deep.equal([]);
      expect(await server.app.log.head()).to.equal(before);
    });
  }
});
