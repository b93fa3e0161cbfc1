import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { PasswordCost } from '#adapters/passwords.ts';
import { type App, openApp } from '#app/app.ts';
import { startServer } from '#app/server.ts';
import { createAccount, recordActivity } from '#commands/accounts/index.ts';
import { loadConfig } from '#config/config.ts';
import type { UserRole } from '#events/accounts.ts';
import { Context, type Executed, type ExecuteOptions } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { HOME, MAIN, NOTIFICATIONS, SEARCH } from '#kernel/projection.ts';
import { recordReplies } from '../replies/recorder.ts';
import { settleTimeout } from './deadlines.ts';
import { PATIENCE } from './eventually.ts';
import { lendDatabase } from './lent-database.ts';
import { differencesFromLog } from './rebuilt.ts';
import { checkReply } from './reply-check.ts';
import { copyKeys } from './started-database.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // Replies are checked against the declared schema; tests look at single members.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface TestUser {
  id: string;
  username: string;
  token: string;
}

export interface CallOptions {
  token?: string | undefined;
  /** Sent as JSON, unless it is a form or text. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A complete server with a real PostgreSQL and real HTTP. */
export interface TestServer {
  app: App;
  url: string;
  /** Calls an endpoint. Checks a 2xx JSON reply against the schema that the endpoint declares. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Creates a confirmed user with a token of all scopes. */
  user(
    username: string,
    options?: { role?: UserRole; confirmed?: boolean; locale?: string; scopes?: string[] },
  ): Promise<TestUser>;
  /** Issues another token to a user, or to an application alone. */
  tokenFor(accountId: string | undefined, scopes: string[]): Promise<string>;
  /** Waits until all reactors have acted and all read models have caught up with the log. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

/** A low cost of password hashing, since specs create hundreds of users. */
const QUICK: PasswordCost = { ln: 1, r: 1, p: 1 };
const GROUPS = [MAIN, HOME, NOTIFICATIONS, SEARCH];
const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' });

/** Runs a spec's commands without a request: each command waits until the read models hold what it wrote. */
class WaitingContext extends Context {
  override async execute<State, Event extends DomainEvent, Facts = undefined>(
    stream: string,
    decider: Decider<State, Event>,
    decide: (state: State, facts: Facts) => readonly Event[],
    options: ExecuteOptions<State, Facts> = {},
  ): Promise<Executed<State, Event>> {
    const done = await super.execute(stream, decider, decide, options);
    await this.waitForReadModels();
    return done;
  }
}

/** Starts a server on an empty database; `env` holds the same settings as for the real one. */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-server-'));
  await copyKeys(dataDir);
  const ownDatabase = env['DATABASE_URL'] === undefined ? await lendDatabase() : undefined;
  const config = loadConfig({
    DATA_DIR: dataDir,
    ...(ownDatabase === undefined ? {} : { DATABASE_URL: ownDatabase.url }),
    LOCAL_DOMAIN: 'rookery.example',
    PORT: '0',
    RATE_LIMITS: 'off',
    ...settleTimeout(),
    ...env,
  });
  const app = await openApp(config, logger, { passwordCost: QUICK });
  app.systemContext = (rule) =>
    new WaitingContext(app.contextDependencies, { requestId: randomUUID(), ip: '', locale: undefined, rule });
  const projector = await app.startProjector();
  const reactors = await app.startReactors();
  const server = await startServer(app, logger);
  recordReplies(server.url);
  let applicationId: string | undefined;

  const application = async (): Promise<string> => {
    if (applicationId !== undefined) return applicationId;
    const { body } = await call('POST', '/api/v1/apps', {
      body: { client_name: 'tests', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' },
    });
    applicationId = (body as { id: string }).id;
    return applicationId;
  };

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const plain = options.body === undefined || isForm(options.body) || typeof options.body === 'string';
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
        ...(plain ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : {
            body: plain
              ? (options.body as string | FormData | URLSearchParams)
              : JSON.stringify(options.body),
          }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson ? JSON.parse(text) : text;
    if (response.ok && isJson) checkReply(method, path, body);
    return { status: response.status, headers: response.headers, body };
  }

  return {
    app,
    url: server.url,
    call,
    async user(
      username,
      { role, confirmed = true, locale = 'en', scopes = ['read', 'write', 'follow', 'push', 'profile'] } = {},
    ) {
      const ctx = app.systemContext('tests');
      const id = await createAccount(ctx, {
        username,
        email: `${username}-${randomBytes(3).toString('hex')}@example.org`,
        password: `correct horse ${username}`,
        locale,
        confirmed,
        approved: true,
        role: role ?? null,
        reason: null,
        applicationId: await application(),
        signUpIp: null,
      });
      // Done now instead of at some moment after the first request, since specs count events.
      await recordActivity(ctx, id);
      // The user's own token wrote nothing, so its reads wait for nothing.
      await ctx.waitForReadModels(GROUPS);
      const { access_token: token } = await app.tokens.issue({
        applicationId: await application(),
        accountId: id,
        scopes,
      });
      return { id, username, token };
    },
    async tokenFor(accountId, scopes) {
      const issued = await app.tokens.issue({
        applicationId: await application(),
        ...(accountId === undefined ? {} : { accountId }),
        scopes,
      });
      return issued.access_token;
    },
    async waitUntilIdle() {
      let head: bigint;
      // Reactors append events that other reactors react to.
      do {
        head = await app.log.head();
        if (!(await reactors.reached(head, PATIENCE)))
          throw new Error(`The reactors are not idle after ${PATIENCE} ms`);
      } while ((await app.log.head()) !== head);
      for (const group of GROUPS) {
        if (!(await app.checkpoints.reached(group, head, PATIENCE)))
          throw new Error(`${group} has not caught up after ${PATIENCE} ms`);
      }
    },
    async close() {
      await server.close();
      await reactors.stop();
      await expectRebuiltAsLive(app);
      await projector.stop();
      await app.close();
      await ownDatabase?.giveBack();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Every suite ends by rebuilding all read models from the log and comparing them with the live ones. */
async function expectRebuiltAsLive({ log, projectionDb }: App): Promise<void> {
  const differences = await differencesFromLog({ log, projectionDb });
  if (differences.length > 0) throw new Error(`Rebuilt is not live: ${JSON.stringify(differences)}`);
}

const isForm = (body: unknown): boolean => body instanceof FormData || body instanceof URLSearchParams;
