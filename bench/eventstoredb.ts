import { join } from 'node:path';
import { serverAtHand } from '../test/contracts/support/server-at-hand.ts';
import type { Engine, Engines, EnginesPlan, Traffic } from './engines.ts';
import { measurePosts } from './eventstoredb-posts.ts';
import { measureReading } from './eventstoredb-reading.ts';
import { type Child, startChild } from './processes.ts';
import { seed } from './seed.ts';
import { tokensFor } from './signed-in.ts';
import { openSite } from './site.ts';
import type { Row } from './table.ts';

const SIZE = { accounts: 250, follows: 200, statuses: 4_000 };

/** Measures the same work with the log in PostgreSQL and in EventStoreDB, in turns. */
export async function measureEngines(plan: EnginesPlan): Promise<Row[]> {
  const given = serverAtHand();
  const double = given === undefined ? startChild('eventstoredb-server.ts') : undefined;
  const url = given ?? (await urlOf(double));
  const engines: Engines = {
    postgres: await openEngine('PostgreSQL', {}, plan),
    eventStoreDb: {
      ...(await openEngine('EventStoreDB', { EVENTSTORE_URL: url }, plan)),
      traffic: double && (() => double.ask<Traffic>('traffic')),
    },
  };
  return [...(await measurePosts(engines, plan)), ...(await measureReading(engines, plan))];
}

const urlOf = async (double: Child | undefined): Promise<string> =>
  (await double?.ask<{ url: string }>('url'))?.url ?? '';

async function openEngine(
  name: string,
  settings: Record<string, string>,
  { timing, profileDir, say }: EnginesPlan,
): Promise<Engine> {
  say(`${name}: starting and seeding a server`);
  const site = await openSite({ settings, profileDir: profileDir && join(profileDir, name) });
  const seeded = await seed(site.app, SIZE);
  const tokenOf = await tokensFor(site, ['read', 'write']);
  const authors = seeded.accounts.slice(1, 1 + timing.connections);
  return { name, site, seeded, tokens: await Promise.all(authors.map(({ id }) => tokenOf(id))) };
}
