import { expect } from 'chai';
import {
  BAD_BODIES,
  BAD_JSON,
  BAD_TEXTS,
  type BadBody,
  bodyWith,
  FORM_TYPE,
  JSON_TYPE,
} from '../support/bad-input.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Fields that OAuth's own endpoints read. */
const OAUTH_FORMS: Record<string, string[]> = {
  '/oauth/token': [
    'grant_type',
    'client_id',
    'client_secret',
    'code',
    'code_verifier',
    'redirect_uri',
    'scope',
    'username',
    'password',
  ],
  '/oauth/revoke': ['client_id', 'client_secret', 'token'],
  '/oauth/authorize': [
    'client_id',
    'response_type',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'force_login',
    'lang',
    'csrf_token',
    'step',
    'login',
    'password',
    'decision',
  ],
};

/** Pages that take parameters. */
const PAGES: Record<string, string[]> = {
  '/oauth/authorize': OAUTH_FORMS['/oauth/authorize'] ?? [],
  '/oauth/authorize/native': ['code'],
  '/auth/confirmation': ['confirmation_token'],
  '/auth/sign_in': ['return_to', 'done'],
  '/auth/sign_up': ['return_to', 'done'],
  '/auth/setup': ['return_to', 'done'],
  '/auth/password/new': ['return_to', 'done'],
  '/auth/password/edit': ['reset_password_token'],
  '/auth/email': ['confirmation_token'],
  '/settings': ['done'],
};

describe('Bad input to OAuth and the pages', function () {
  this.timeout(60_000);
  let server: TestServer;
  let clientId: string;

  before(async () => {
    server = await startTestServer();
    const app = await server.call('POST', '/api/v1/apps', {
      body: { client_name: 'specs', redirect_uris: 'https://app.example/callback' },
    });
    clientId = app.body.client_id as string;
  });
  after(() => server.close());

  for (const [path, fields] of Object.entries(OAUTH_FORMS)) {
    it(`is refused by POST ${path}`, async () => {
      const bad: Omit<BadBody, 'status'>[] = [
        ...BAD_BODIES,
        ...fields.flatMap((name) =>
          BAD_JSON.map((bad) => ({
            what: `${name}: ${bad.slice(0, 60)}`,
            headers: JSON_TYPE,
            body: bodyWith(name, bad, { client_id: clientId, response_type: 'code' }),
          })),
        ),
        ...fields.flatMap((name) =>
          BAD_TEXTS.map((text) => ({
            what: `${name}=${text.slice(0, 60)}`,
            headers: FORM_TYPE,
            body: new URLSearchParams({
              client_id: clientId,
              response_type: 'code',
              [name]: text,
            }).toString(),
          })),
        ),
      ];
      const problems: string[] = [];
      for (const attempt of bad) {
        const before = await server.app.log.head();
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          redirect: 'manual',
          headers: attempt.headers,
          body: attempt.body,
        });
        const text = await response.text();
        const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
        if (response.status < 400 && path !== '/oauth/revoke')
          problems.push(`${attempt.what}: ${response.status}`);
        if (response.status >= 500)
          problems.push(`${attempt.what}: ${response.status} ${text.slice(0, 200)}`);
        if (isPage !== (path === '/oauth/authorize')) problems.push(`${attempt.what}: ${text.slice(0, 100)}`);
        if ((await server.app.log.head()) !== before) problems.push(`${attempt.what}: wrote to the log`);
      }
      expect(problems).to.deep.equal([]);
    });
  }

  for (const [path, fields] of Object.entries(PAGES)) {
    it(`does not break GET ${path}`, async () => {
      const problems: string[] = [];
      for (const name of fields) {
        const texts = [
          ...BAD_TEXTS.map(encodeURIComponent),
          '%00',
          '%ff',
          '%',
          `1&${name}=2`,
          `1&${name}[a]=2`,
        ];
        for (const text of texts) {
          const query = `?client_id=${clientId}&response_type=code&${name}=${text}`;
          const response = await fetch(`${server.url}${path}${query}`, { redirect: 'manual' });
          const page = await response.text();
          if (response.status >= 500) problems.push(`${name}=${text}: ${response.status}`);
          // Input never appears as markup in the page.
          if (page.includes('<script')) problems.push(`${name}=${text}: ${page.slice(0, 200)}`);
        }
      }
      expect(problems).to.deep.equal([]);
    });
  }
});
