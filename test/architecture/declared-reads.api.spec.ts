import { expect } from 'chai';
import pg from 'pg';
import pino from 'pino';
import { openApp } from '#app/app.ts';
import { endpoints } from '#app/routes.ts';
import { startServer } from '#app/server.ts';
import { loadConfig } from '#config/config.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { MAIN } from '#kernel/projection.ts';
import { projections } from '#projections/index.ts';
import { READ_MODELS } from '#storage/postgres/db.ts';
import { Random } from '../support/fuzz/random.ts';
import { type OpenApi, type Operation, operationsOf, RequestMaker } from '../support/fuzz/requests.ts';
import { actor, furnish } from '../support/fuzz/scene.ts';
import { send } from '../support/fuzz/send.ts';
import { Things } from '../support/fuzz/things.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

/** Requests that each endpoint receives: some carry invalid input and are refused before the handler reads anything. */
const ROUNDS = 4;

/** An endpoint that waits for nothing may still read the group that nearly all others read. */
const readsOf = ({ reads = [MAIN] }: Endpoint): readonly string[] => (reads.length > 0 ? reads : [MAIN]);
const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

describe('The declaration of an endpoint', function () {
  this.timeout(180_000);
  let server: TestServer;
  let owner: TestUser;
  let openApi: OpenApi;
  let maker: RequestMaker;
  const answered = new Set<string>();

  before(async () => {
    server = await startTestServer();
    owner = await actor(server, 'owner', 'Owner');
    const things = new Things();
    await furnish(server, things, { owner, people: [await actor(server, 'user')] });
    openApi = (await server.call('GET', '/api/openapi.json')).body as OpenApi;
    maker = new RequestMaker(openApi, things);
  });
  after(async () => {
    await inDatabase('drop schema if exists hidden cascade');
    await server.close();
  });

  const declared = new Map(endpoints.map((each) => [keyOf(each), readsOf(each).toSorted().join(' and ')]));
  for (const groups of new Set(declared.values())) {
    it(`names the groups that it reads: all that name ${groups} answer without the tables of the others`, async () => {
      const operations = operationsOf(openApi).filter(
        (each) => declared.get(keyOf(each as never)) === groups,
      );
      expect(operations).to.not.equal([]);
      const failures = await failuresOf(operations, groups.split(' and '));
      const remedy = 'Name the group of the table in `reads` (CONTRIBUTING, Adding an endpoint)';
      expect(failures, remedy).to.deep.equal([]);
    });
  }

  it('is tested by replies, not only by refusals', () => {
    expect(answered.size).to.be.greaterThan(declared.size / 2);
  });

  async function failuresOf(operations: readonly Operation[], groups: readonly string[]): Promise<string[]> {
    const limited = await startLimited(groups);
    const failures: string[] = [];
    const requests = Array.from({ length: ROUNDS }, (_, round) =>
      operations.map((each) => ({ round, ...each })),
    );
    try {
      for (const operation of requests.flat()) {
        const random = new Random(operation.method, operation.path, operation.round);
        const request = maker.make(random, operation);
        const headers = { ...request.headers, Authorization: `Bearer ${owner.token}` };
        const { status, text } = await send(limited.url, { ...request, headers });
        if (status < 300) answered.add(keyOf(operation as never));
        if (status >= 500) failures.push(`${request.method} ${request.path}: ${status} ${text}`);
      }
    } finally {
      await limited.close();
    }
    return failures;
  }

  /** Starts a second server, for which views that fail stand in front of the tables of other groups. */
  async function startLimited(
    groups: readonly string[],
  ): Promise<{ url: string; close: () => Promise<void> }> {
    const hidden = projections
      .filter(({ group }) => !groups.includes(group))
      .flatMap(({ tables }) => Object.keys(tables));
    await inDatabase(
      'drop schema if exists hidden cascade; create schema hidden',
      ...hidden.map((table) => `create view hidden.${table} as select 1 / (random() > 1)::int as failure`),
    );
    const url = new URL(databaseUrl());
    url.searchParams.set('options', `-c search_path=hidden,${READ_MODELS},durable,public`);
    const config = loadConfig({
      DATA_DIR: server.app.config.dataDir,
      DATABASE_URL: url.href,
      LOCAL_DOMAIN: 'rookery.example',
      PORT: '0',
      RATE_LIMITS: 'off',
      ROLE: 'api',
    });
    const logger = pino({ level: 'silent' });
    const app = await openApp(config, logger);
    const [table = ''] = hidden;
    expect(await app.db.query(`select from ${table}`).then(String, String)).to.include('division by zero');
    const http = await startServer(app, logger);
    return {
      url: http.url,
      close: async () => {
        await http.close();
        await app.close();
      },
    };
  }

  const databaseUrl = (): string => server.app.config.database.url ?? '';

  async function inDatabase(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      await client.query(statements.join(';'));
    } finally {
      await client.end();
    }
  }
});
