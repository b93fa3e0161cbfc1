import { expect } from 'chai';
import { Browser, locationOf, pkce, type TestApp } from '../oauth/client.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';

type Fields = Record<string, string>;

/** How an app signs in: its parameters and their form, from the named source files of the app. */
interface SignIn {
  redirect: string;
  /** The form of the registration and of the token request. */
  form: 'json' | 'form';
  register: Fields;
  /** Besides `client_id`, `redirect_uri` and `response_type`. */
  authorize: Fields;
  pkce?: boolean;
  /** Besides `client_id`, `client_secret`, `code`, `redirect_uri` and the verifier. */
  trade: Fields;
}

const SCOPES = 'read write follow push';
const elk = 'https://elk.zone';

const APPS: Record<string, SignIn> = {
  // LoginActivity.kt, MastodonApi.kt
  Tusky: {
    redirect: 'oauth2redirect://com.keylesspalace.tusky/',
    form: 'form',
    register: { client_name: 'Tusky', scopes: SCOPES, website: 'https://tusky.app' },
    authorize: { scope: SCOPES },
    trade: { grant_type: 'authorization_code' },
  },
  // Endpoint/Apps.swift, Endpoint/Oauth.swift
  'Ice Cubes': {
    redirect: 'icecubesapp://',
    form: 'json',
    register: {
      client_name: 'IceCubesApp',
      scopes: SCOPES,
      website: 'https://github.com/Dimillian/IceCubesApp',
    },
    authorize: { scope: SCOPES },
    trade: { grant_type: 'authorization_code', scope: SCOPES },
  },
  // Mastodon+API+App.swift, Mastodon+API+OAuth.swift
  'Mastodon for iOS': {
    redirect: 'mastodon://joinmastodon.org/oauth',
    form: 'json',
    register: {
      client_name: 'Mastodon for iOS',
      scopes: SCOPES,
      website: 'https://app.joinmastodon.org/ios',
    },
    authorize: { scope: SCOPES, force_login: 'true' },
    trade: { grant_type: 'authorization_code' },
  },
  // CreateOAuthApp.java, AccountSessionManager.java, GetOauthToken.java
  'Mastodon for Android': {
    redirect: 'org.joinmastodon.android-auth://callback',
    form: 'json',
    register: {
      client_name: 'Mastodon for Android',
      scopes: SCOPES,
      website: 'https://app.joinmastodon.org/android',
    },
    authorize: { scope: SCOPES },
    pkce: true,
    trade: { grant_type: 'authorization_code' },
  },
  // server/api/[server]/login.ts, server/utils/shared.ts
  Elk: {
    redirect: `${elk}/api/rookery.example/oauth/${encodeURIComponent(elk)}`,
    form: 'json',
    register: { client_name: 'Elk', website: elk, scopes: SCOPES },
    authorize: { scope: SCOPES, force_login: 'false', lang: 'en-US' },
    trade: { grant_type: 'authorization_code', scope: SCOPES },
  },
  // utils/auth.js
  Phanpy: {
    redirect: 'https://phanpy.social/',
    form: 'form',
    register: { client_name: 'Phanpy', scopes: SCOPES, website: 'https://phanpy.social' },
    authorize: { scope: SCOPES },
    pkce: true,
    trade: { grant_type: 'authorization_code' },
  },
  // authentication.py
  'a bot with Mastodon.py': {
    redirect: 'urn:ietf:wg:oauth:2.0:oob',
    form: 'form',
    register: { client_name: 'bot', scopes: 'read write follow push' },
    authorize: { scope: 'read write follow push', force_login: 'False', state: 'None', lang: 'None' },
    trade: { grant_type: 'authorization_code', scope: 'read write follow push' },
  },
};

describe('Signing in with an app', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.user('alice');
  });
  after(() => server.close());

  const post = (path: string, form: SignIn['form'], fields: Fields) =>
    server.call('POST', path, { body: form === 'json' ? fields : new URLSearchParams(fields) });

  for (const [name, app] of Object.entries(APPS)) {
    it(`works as ${name} does it`, async () => {
      const made = await post('/api/v1/apps', app.form, { ...app.register, redirect_uris: app.redirect });
      expect(made.status, JSON.stringify(made.body)).to.equal(200);
      const { client_id, client_secret } = made.body as TestApp;
      const { verifier, challenge } = pkce();
      const query = new URLSearchParams({
        client_id,
        redirect_uri: app.redirect,
        response_type: 'code',
        ...app.authorize,
        ...(app.pkce === true ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
      });
      const browser = new Browser(server);
      const consent = await browser.signIn(
        `/oauth/authorize?${query.toString()}`,
        'alice',
        'correct horse alice',
      );
      expect(consent.status).to.equal(200);
      const answer = await browser.send('consent', { decision: 'approve' });
      expect(answer.status).to.equal(303);
      const native = app.redirect.startsWith('urn:');
      if (!native) expect(locationOf(answer).startsWith(`${app.redirect}?code=`)).to.equal(true);

      const trade = {
        client_id,
        client_secret,
        redirect_uri: app.redirect,
        code: answerCode(answer),
        ...app.trade,
        ...(app.pkce === true ? { code_verifier: verifier } : {}),
      };
      const token = await post('/oauth/token', app.form, trade);
      expect(token.status, JSON.stringify(token.body)).to.equal(200);
      expect((token.body as { scope: string }).scope).to.equal(SCOPES);
      const { access_token } = token.body as { access_token: string };
      const path = '/api/v1/accounts/verify_credentials';
      const me = await server.call('GET', path, { token: access_token });
      expect((me.body as { username: string }).username).to.equal('alice');

      const revoked = await post('/oauth/revoke', app.form, {
        client_id,
        client_secret,
        token: access_token,
      });
      expect(revoked.status).to.equal(200);
      expect((await server.call('GET', path, { token: access_token })).status).to.equal(401);
    });
  }

  /** Native apps read the code from a page whose address contains it too. */
  const answerCode = (answer: Answer): string => {
    const location = locationOf(answer);
    return new URL(location, server.url).searchParams.get('code') ?? '';
  };
});
