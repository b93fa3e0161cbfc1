import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { account, createAccount } from '../../commands/accounts/index.ts';
import { openApp, type App } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { accountStream, type AccountEvent, type Profile } from '../../src/events/accounts.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { startServer } from '../../src/server.ts';
import { freshDatabase } from './database.ts';

export interface Answer<Json> {
  status: number;
  json: Json;
  /** The query parameters of each `Link`, by its `rel`. */
  links: Record<string, URLSearchParams>;
}

/** Whoever sends requests; `body` goes out as JSON. */
export interface Client {
  get<Json = unknown>(path: string): Promise<Answer<Json>>;
  post<Json = unknown>(path: string, body?: object): Promise<Answer<Json>>;
}

export interface Person extends Client {
  id: string;
  username: string;
  /** The same person with another token. */
  withScopes(...scopes: string[]): Promise<Client>;
}

/** A whole server with a database of its own, and people on it. */
export interface Town {
  app: App;
  /** Without a token. */
  nobody: Client;
  /** With an application's own token. */
  appOnly(): Promise<Client>;
  withToken(token: string): Client;
  person(username: string, profile?: Partial<Profile>): Promise<Person>;
  suspend(person: Person): Promise<void>;
  change(person: Person, profile: Partial<Profile>): Promise<void>;
  /** How many events the log holds. */
  events(): Promise<bigint>;
  close(): Promise<void>;
}

export async function startTown(): Promise<Town> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-town-'));
  const logger = pino({ level: 'silent' });
  const config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: await freshDatabase(),
    LOCAL_DOMAIN: 'rookery.example',
  });
  const app = await openApp({ ...config, http: { ...config.http, bind: '127.0.0.1', port: 0 } }, logger);
  const projector = await app.startProjector();
  const server = await startServer(app, logger);
  const nobody = clientOf(server.url, undefined);
  const application = await nobody.post<{ id: string }>('/api/v1/apps', {
    client_name: 'Specs',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
  });
  const applicationId = application.json.id;
  const issue = async (scopes: readonly string[], accountId?: string): Promise<Client> => {
    const token = await app.tokens.issue({ applicationId, scopes, ...(accountId ? { accountId } : {}) });
    return clientOf(server.url, token.access_token);
  };
  const happen = async (accountId: string, event: AccountEvent): Promise<void> => {
    const ctx = app.systemContext('spec');
    await ctx.execute(accountStream(accountId), account, () => [event]);
    await ctx.settle([MAIN]);
  };
  const change: Town['change'] = ({ id }, profile) =>
    happen(id, { type: 'AccountUpdated', data: { id, ...profile } });

  return {
    app,
    nobody,
    appOnly: () => issue(['read', 'write']),
    withToken: (token) => clientOf(server.url, token),
    async person(username, profile) {
      const ctx = app.systemContext('spec');
      const id = await createAccount(ctx, { ...somebody, username, email: `${username}@example.org` });
      await ctx.settle([MAIN]);
      const client = await issue(['read', 'write'], id);
      const person = { ...client, id, username, withScopes: (...scopes: string[]) => issue(scopes, id) };
      if (profile) await change(person, profile);
      return person;
    },
    change,
    suspend: ({ id }) => happen(id, { type: 'AccountSuspended', data: { account_id: id } }),
    events: () => app.log.head(),
    async close() {
      await server.close();
      await projector.stop();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const somebody = {
  password: 'correct horse battery staple',
  locale: 'en',
  confirmed: true,
  approved: true,
  role: null,
  reason: null,
  applicationId: null,
  signUpIp: null,
};

function clientOf(origin: string, token: string | undefined): Client {
  const send = async <Json>(method: string, path: string, body?: object): Promise<Answer<Json>> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return {
      status: response.status,
      json: (await response.json()) as Json,
      links: linksOf(response.headers.get('link')),
    };
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body ?? {}),
  };
}

function linksOf(header: string | null): Record<string, URLSearchParams> {
  const links = (header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries(
    [...links].map(([, url = '', rel = '']) => [rel, new URL(url).searchParams] as const),
  );
}
