import { expect } from 'chai';
import type { Suite } from 'mocha';
import type { App } from '#app/app.ts';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream, type Profile, type UserRole } from '#events/accounts.ts';
import { startTestServer, type TestServer, type TestUser } from './server.ts';

const ALL_SCOPES = ['read', 'write', 'follow', 'push', 'profile', 'admin:read', 'admin:write'];

export interface Answer<Json> {
  status: number;
  json: Json;
  /** Returns the query of each `Link`, by its `rel`. */
  links: Record<string, string>;
}

/** A client that sends requests; `body` is sent as JSON, or as the form it is. */
export interface Client {
  get<Json = unknown>(path: string): Promise<Answer<Json>>;
  post<Json = unknown>(path: string, body?: object): Promise<Answer<Json>>;
  put<Json = unknown>(path: string, body?: object): Promise<Answer<Json>>;
  patch<Json = unknown>(path: string, body?: object): Promise<Answer<Json>>;
  delete<Json = unknown>(path: string, body?: object): Promise<Answer<Json>>;
}

export interface Person extends Client {
  id: string;
  username: string;
  token: string;
  /** The same user with another token. */
  withScopes(...scopes: string[]): Promise<Client>;
}

/** Returns the body of the reply, and asserts the status 200. */
export async function ok<Json>(answer: Promise<Answer<Json>>): Promise<Json> {
  const { status, json } = await answer;
  expect(status, JSON.stringify(json)).to.equal(200);
  return json;
}

/** A test server, seen through the people who use it. */
export interface Town {
  /** For changes that no client can make. */
  app: App;
  /** For browsers. */
  server: TestServer;
  /** The origin it is served at. */
  url: string;
  /** Waits until all read models have caught up with the log. */
  waitUntilIdle(): Promise<void>;
  /** A client without a token. */
  nobody: Client;
  /** A client with an application token. */
  appOnly(): Promise<Client>;
  withToken(token: string): Client;
  person(username: string, profile?: Partial<Profile>): Promise<Person>;
  /** Creates a user with a role and a token of all scopes. */
  staff(username: string, role: UserRole): Promise<Person>;
  suspend(person: Person): Promise<void>;
  change(person: Person, profile: Partial<Profile>): Promise<void>;
  /** Returns the number of events in the log, including those that reactors add to what happened so far. */
  events(): Promise<bigint>;
  close(): Promise<void>;
}

/** Starts a test server; takes the options of `startTestServer`, and adds its own checks. */
export async function startTown(env: Record<string, string> = {}): Promise<Town> {
  const server = await startTestServer(env);
  const withToken = (token: string | undefined): Client => {
    const send = async <Json>(method: string, path: string, body?: object): Promise<Answer<Json>> => {
      const answer = await server.call(method, path, { token, ...(body ? { body } : {}) });
      return { status: answer.status, json: answer.body as Json, links: linksOf(answer.headers.get('link')) };
    };
    return {
      get: (path) => send('GET', path),
      post: (path, body) => send('POST', path, body ?? {}),
      put: (path, body) => send('PUT', path, body ?? {}),
      patch: (path, body) => send('PATCH', path, body ?? {}),
      delete: (path, body) => send('DELETE', path, body),
    };
  };
  const happen = async (accountId: string, event: AccountEvent): Promise<void> => {
    await server.app.systemContext('spec').execute(accountStream(accountId), account, () => [event]);
    await server.waitUntilIdle();
  };
  const change: Town['change'] = ({ id }, profile) =>
    happen(id, { type: 'AccountUpdated', data: { id, ...profile } });

  const personOf = ({ id, username, token }: TestUser): Person => ({
    ...withToken(token),
    id,
    username,
    token,
    withScopes: async (...scopes) => withToken(await server.tokenFor(id, scopes)),
  });

  return {
    app: server.app,
    server,
    url: server.url,
    nobody: withToken(undefined),
    waitUntilIdle: () => server.waitUntilIdle(),
    appOnly: async () => withToken(await server.tokenFor(undefined, ['read', 'write'])),
    withToken,
    async person(username, profile) {
      const person = personOf(await server.user(username));
      if (profile) await change(person, profile);
      return person;
    },
    staff: async (username, role) => personOf(await server.user(username, { role, scopes: ALL_SCOPES })),
    change,
    suspend: ({ id }) => happen(id, { type: 'AccountSuspended', data: { account_id: id } }),
    async events() {
      await server.waitUntilIdle();
      return server.app.log.head();
    },
    close: () => server.close(),
  };
}

/** Describes a server with people, which starts before the first test and closes after the last. */
export const describeTown = (title: string, tests: (this: Suite, town: Town) => void): void =>
  describeTownWith({}, title, tests);

/** The same, with the options of `startTestServer`. */
export function describeTownWith(
  env: Record<string, string>,
  title: string,
  tests: (this: Suite, town: Town) => void,
): void {
  describe(title, function () {
    // The tests are declared before the server runs.
    const town = {} as Town;
    before(async () => void Object.assign(town, await startTown(env)));
    tests.call(this, town);
    after(() => town.close());
  });
}

function linksOf(header: string | null): Record<string, string> {
  const links = (header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries(
    [...links].map(([, url = '', rel = '']) => [rel, new URL(url).search.slice(1)] as const),
  );
}
