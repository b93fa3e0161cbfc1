import { join } from 'node:path';
import { serverAtHand } from '../test/contracts/support/server-at-hand.ts';
import { measurePosts } from './eventstoredb-posts.ts';
import { measureReading } from './eventstoredb-reading.ts';
import { type Child, startChild } from './processes.ts';
import { seed, type Seeded } from './seed.ts';
import { tokensFor } from './signed-in.ts';
import { openSite, type Site } from './site.ts';
import type { Row } from './table.ts';

/** The events that the double of EventStoreDB has stored and sent so far. */
export interface Traffic {
  /** Events of this program in the log. */
  stored: number;
  sentToSubscriptions: number;
  sentToReads: number;
}

/** A seeded server with its log in one of the engines. */
export interface Engine {
  name: string;
  site: Site;
  seeded: Seeded;
  /** Tokens of posting authors. */
  tokens: string[];
  /** Asks the double of EventStoreDB; undefined with another log. */
  traffic?: (() => Promise<Traffic>) | undefined;
}

/** Two servers that differ in the engine of the log. */
export interface Engines {
  postgres: Engine;
  eventStoreDb: Engine;
}

export interface EnginesPlan {
  /** Pairs of measurements. */
  rounds: number;
  timing: { connections: number; warmupSeconds: number; seconds: number };
  profileDir: string | undefined;
  say: (line: string) => void;
}

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
