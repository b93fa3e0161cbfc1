import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { fairSemaphore } from '#kernel/concurrency.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { holds } from '#mastodon/scopes.ts';
import { BAD_BODIES, BAD_JSON, BAD_SEGMENTS, BAD_TEXTS, bodyWith, JSON_TYPE } from '../support/bad-input.ts';
import { partsOf } from '../support/schema-walk.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  likeLibreTranslate,
  startTranslationServer,
  type TranslationServer,
} from '../support/translation-server.ts';

/** Required parameters: without them a request is invalid whatever its path names. */
const NEEDED: Record<string, string> = { '/api/v1/admin/accounts/:id/action': '?type=none' };

/** One request that may be refused but must not break anything. */
interface Attempt {
  what: string;
  method: string;
  path: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** The only status that is acceptable, when there is just one. */
  status?: number;
}

describe('A server that receives bad, conflicting or repeated requests', function () {
  this.timeout(60_000);
  const someAtOnce = fairSemaphore({ running: 8, waiting: Infinity });
  /** Request ids. For refused requests, also the input that was sent. */
  const accepted = new Set<string>();
  const refused = new Map<string, string>();
  /** The log position up to which written events were checked. */
  let seen = 0n;
  let server: TestServer;
  let translator: TranslationServer;
  let alice: TestUser;
  let bob: TestUser;
  let statusId: string;
  const tokens: Record<
    'application' | 'narrow' | 'crypto' | 'unconfirmed' | 'disabled' | 'suspended' | 'revoked',
    string
  > = { application: '', narrow: '', crypto: '', unconfirmed: '', disabled: '', suspended: '', revoked: '' };

  before(async () => {
    translator = await startTranslationServer(likeLibreTranslate);
    server = await startTestServer({ LIBRE_TRANSLATE_ENDPOINT: translator.endpoint });
    // Alice has the Owner role, so that permissions never cause a refusal here.
    alice = await server.user('alice', {
      role: 'Owner',
      scopes: ['read', 'write', 'follow', 'push', 'profile', 'crypto', 'admin:read', 'admin:write'],
    });
    bob = await server.user('bob');
    const posted = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body: { status: 'hello' },
    });
    statusId = posted.body.id as string;
    tokens.application = await server.tokenFor(undefined, ['read', 'write', 'follow']);
    tokens.narrow = await server.tokenFor(alice.id, ['push']);
    tokens.crypto = await server.tokenFor(alice.id, ['crypto']);
    tokens.unconfirmed = (await server.user('una', { confirmed: false })).token;
    tokens.disabled = (
      await userWho('dora', (account_id) => ({ type: 'UserDisabled', data: { account_id } }))
    ).token;
    tokens.suspended = (
      await userWho('sue', (account_id) => ({ type: 'AccountSuspended', data: { account_id } }))
    ).token;
    const ruth = await server.user('ruth');
    await server.app.tokens.revokeAllOf(ruth.id);
    tokens.revoked = ruth.token;
    await server.waitUntilIdle();
    seen = await server.app.log.head();
  });
  after(async () => {
    await server.close();
    await translator.close();
  });

  for (const endpoint of endpoints) {
    it(`answers bad input to ${endpoint.method} ${endpoint.path} with an error in JSON`, async () => {
      const attempts = [
        ...tokensFor(endpoint),
        ...pathsFor(endpoint),
        ...queriesFor(endpoint),
        ...bodiesFor(endpoint),
      ];
      const problems = await Promise.all(attempts.map((attempt) => someAtOnce(() => problemOf(attempt))));
      expect(problems.filter((problem) => problem !== undefined)).to.deep.equal([]);
      expect(await writtenByOthers()).to.deep.equal([]);
    });
  }

  it('answers in JSON when no endpoint has the path', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v9',
      '/api/v1/statuses/%E0%A4',
      '/api/v1/accounts/%ff/statuses',
    ]) {
      for (const method of ['GET', 'POST', 'PROPFIND']) {
        const attempt = { what: `${method} ${path}`, method, path, token: alice.token };
        expect(await problemOf(attempt)).to.equal(undefined);
      }
    }
  });

  it('stores simultaneous edits one after the other', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const before = (await server.app.log.readStream(accountStream(alice.id))).length;
    const edits = await Promise.all(
      names.map((display_name) =>
        server.call('PATCH', '/api/v1/accounts/update_credentials', {
          token: alice.token,
          body: { display_name },
        }),
      ),
    );
    expect(edits.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    const events = (await server.app.log.readStream(accountStream(alice.id))).slice(before);
    const stored = events.map(({ data }) => (data as { display_name?: string }).display_name);
    expect(stored.toSorted()).to.deep.equal(names.toSorted());
    const { body } = await server.call('GET', '/api/v1/accounts/verify_credentials', { token: alice.token });
    expect(body.display_name).to.equal(stored.at(-1));
  });

  it('lets one of several deletions succeed, and stores one event for several follows', async () => {
    const posted = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'soon gone' },
    });
    const path = `/api/v1/statuses/${posted.body.id as string}`;
    const deleted = await Promise.all(
      [1, 2, 3, 4].map(() => server.call('DELETE', path, { token: alice.token })),
    );
    expect(deleted.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404]);

    const carol = await server.user('carol');
    const before = await server.app.log.head();
    const followed = await Promise.all(
      [1, 2, 3, 4].map(() =>
        server.call('POST', `/api/v1/accounts/${carol.id}/follow`, { token: bob.token, body: {} }),
      ),
    );
    expect(followed.every(({ status, body }) => status === 200 && body.following === true)).to.equal(true);
    const events = await server.app.log.readAll(before, 100);
    expect(events.filter(({ type }) => type === 'AccountFollowed')).to.have.length(1);
  });

  it('executes a request once when the reply was lost and the client retries', async () => {
    const body = JSON.stringify({ status: 'did it arrive?' });
    const head = await server.app.log.head();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /api/v1/statuses HTTP/1.1\r\nHost: rookery.example\r\nAuthorization: Bearer ${bob.token}\r\n` +
        `Content-Type: application/json\r\nIdempotency-Key: lost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
    while ((await server.app.log.readAll(head, 100)).every(({ type }) => type !== 'StatusCreated'))
      await pause();
    const retried = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'lost' },
    });
    expect(retried.status).to.equal(200);
    const created = (await server.app.log.readAll(head, 100)).filter(({ type }) => type === 'StatusCreated');
    expect(created.map(({ data }) => (data as { id: string }).id)).to.deep.equal([retried.body.id]);
  });

  async function userWho(username: string, event: (accountId: string) => AccountEvent): Promise<TestUser> {
    const user = await server.user(username);
    await server.app.systemContext('spec').execute(accountStream(user.id), account, () => [event(user.id)]);
    await server.waitUntilIdle();
    return user;
  }

  /**
   * Describes the failure: a status of 5xx, an unexpected status, or a reply that is not an error in JSON.
   */
  async function problemOf(attempt: Attempt): Promise<string | undefined> {
    const { what, method, path, token, headers = {}, body, status: expected } = attempt;
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.status >= 500) return `${what}: ${response.status} ${text}`;
    if (expected !== undefined && response.status !== expected)
      return `${what}: ${response.status}, not ${expected}: ${text.slice(0, 200)}`;
    const id = response.headers.get('x-request-id') ?? '';
    if (response.ok && !/^application\/json/.test(response.headers.get('content-type') ?? '')) {
      accepted.add(id);
      return undefined;
    }
    const json = parsed(text);
    if (json === undefined) return `${what}: ${response.status}, no JSON: ${text.slice(0, 100)}`;
    if (response.ok) {
      accepted.add(id);
      return undefined;
    }
    refused.set(id, what);
    if (typeof (json as { error?: unknown }).error === 'string') return undefined;
    return `${what}: no error text: ${text.slice(0, 100)}`;
  }

  /** Lists new events that no accepted request wrote. */
  async function writtenByOthers(): Promise<string[]> {
    const events = await server.app.log.readAll(seen, 10_000);
    seen = events.at(-1)?.position ?? seen;
    return events
      .filter(({ metadata }) => !accepted.has(metadata.correlation_id))
      .map(({ type, metadata }) => `${type}: ${refused.get(metadata.correlation_id) ?? 'no request'}`);
  }

  /** Returns the path with ids that exist, or with the given value for every parameter. */
  const pathOf = ({ path }: Endpoint, value?: string): string =>
    path.replaceAll(/:\w+/g, value ?? (path.includes('/statuses/:') ? statusId : bob.id));

  /** Returns a token that the endpoint accepts. */
  const goodToken = ({ auth, path, method }: Endpoint): string | undefined => {
    if (auth === 'public') return undefined;
    // Sign-up requires an application token.
    return auth === 'app' && method === 'POST' && path === '/api/v1/accounts'
      ? tokens.application
      : alice.token;
  };

  function tokensFor(endpoint: Endpoint): Attempt[] {
    const { auth, scopes, method } = endpoint;
    if (auth === 'public') return [];
    const absent = endpoint.subjectShown ? '1' : undefined;
    const path = pathOf(endpoint, absent);
    const attempt = (what: string, token: string | undefined, status: number): Attempt => ({
      what,
      method,
      path,
      token,
      status: absent !== undefined && what !== 'a suspended user' ? 404 : status,
    });
    return [
      ...(auth === 'optional' ? [] : strangersAt(endpoint, attempt)),
      ...(auth === 'user'
        ? [attempt("an application's own token", tokens.application, applicationRefused(endpoint))]
        : []),
      ...(scopes.length > 0
        ? [attempt('a token without the scope', scopes.includes('push') ? tokens.crypto : tokens.narrow, 403)]
        : []),
      ...(auth === 'user' ? inactiveAt(endpoint, attempt) : []),
    ];
  }

  type MakeAttempt = (what: string, token: string | undefined, status: number) => Attempt;

  /** Attempts without a valid token, at endpoints that require one. */
  function strangersAt({ auth, scopes, permission }: Endpoint, attempt: MakeAttempt): Attempt[] {
    const withoutScope = auth === 'user' && scopes.length === 0 ? 422 : 401;
    return [
      attempt('an unknown token', 'x'.repeat(43), 401),
      attempt('a very long token', 'x'.repeat(5_000), 401),
      attempt('a revoked token', tokens.revoked, 401),
      {
        ...attempt('another kind of authorization', undefined, 401),
        headers: { Authorization: 'Basic YTpi' },
      },
      { ...attempt('an empty token', undefined, 401), headers: { Authorization: 'Bearer ' } },
      attempt('no token', undefined, permission ? 403 : withoutScope),
    ];
  }

  function applicationRefused({ scopes, permission }: Endpoint): number {
    const held = scopes.length === 0 || scopes.some((scope) => holds(['read', 'write', 'follow'], scope));
    return permission || !held ? 403 : 422;
  }

  const inactiveAt = ({ allowUnconfirmed }: Endpoint, attempt: MakeAttempt): Attempt[] => [
    attempt('a disabled user', tokens.disabled, 403),
    attempt('a suspended user', tokens.suspended, 403),
    ...(allowUnconfirmed ? [] : [attempt('an unconfirmed user', tokens.unconfirmed, 403)]),
  ];

  function pathsFor(endpoint: Endpoint): Attempt[] {
    if (!endpoint.path.includes(':')) return [];
    return Object.entries(BAD_SEGMENTS).map(([what, segment]) => ({
      what: `in the path ${what}`,
      method: endpoint.method,
      path: `${pathOf(endpoint, segment)}${NEEDED[endpoint.path] ?? ''}`,
      token: goodToken(endpoint),
      // An invalid id in a path is treated as an unknown one.
      ...(endpoint.params &&
      /:(?:id|account_id)\b/.test(endpoint.path) &&
      what !== 'half a character' &&
      // Removing a suggestion succeeds also for an unknown account.
      !endpoint.path.startsWith('/api/v1/suggestions/') &&
      // Identity proofs are looked up for no account.
      !endpoint.path.endsWith('/identity_proofs') &&
      // Rules are counted from 1, and earlier requests added some.
      !endpoint.path.startsWith('/api/v1/admin/rules/')
        ? { status: 404 }
        : {}),
    }));
  }

  function queriesFor(endpoint: Endpoint): Attempt[] {
    const attempts = (name: string): [string, string][] => [
      ...BAD_TEXTS.map((value): [string, string] => [name, encodeURIComponent(value)]),
      [`${name}[]`, 'a'],
      [`${name}[][]`, 'a'],
      [`${name}[a]`, 'b'],
      [`${name}[__proto__]`, 'b'],
      [`${name}[a][b][c][d][e][f][g]`, 'h'],
      [name, '%00'],
      [name, '%ff'],
      [name, '%'],
      [name, `1&${name}[a]=2`],
      [name, `x&${name}=y`],
    ];
    const fields = endpoint.query ?? endpoint.body;
    return Object.keys(fields?.shape ?? {})
      .flatMap(attempts)
      .map(([name, value]) => ({
        what: `?${name}=${value}`.slice(0, 80),
        method: endpoint.method,
        path: `${pathOf(endpoint)}?${name}=${value}`,
        token: goodToken(endpoint),
      }));
  }

  function bodiesFor(endpoint: Endpoint): Attempt[] {
    if (endpoint.method === 'GET' || !endpoint.body) return [];
    const base = { method: endpoint.method, path: pathOf(endpoint), token: goodToken(endpoint) };
    const names = new Set([...partsOf(endpoint.body)].map(({ path }) => path).filter((path) => path !== ''));
    return [
      ...BAD_BODIES.map((bad) => ({ ...base, ...bad })),
      ...[...names, 'unheard_of'].flatMap((name) =>
        BAD_JSON.map((bad) => ({
          ...base,
          what: `${name}: ${bad.slice(0, 60)}`,
          headers: JSON_TYPE,
          body: bodyWith(name, bad, SOUND[endpoint.path]),
        })),
      ),
    ];
  }
});

/** Valid bodies, so that one bad field is the only fault and is found behind the first check. */
const SOUND: Record<string, object> = {
  '/api/v1/statuses': { status: 'sound' },
  '/api/v1/apps': { client_name: 'sound', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  '/api/v1/accounts': {
    username: 'sound',
    email: 'sound@example.org',
    password: 'correct horse',
    locale: 'en',
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
