import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { countEvents } from '#kernel/event-count.ts';
import { on, type Projection } from '#kernel/projection.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase, READ_MODELS } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { buildMissing, startProjector } from '#storage/postgres/projector/projector.ts';
import type { Progress } from '#storage/postgres/rebuild/build.ts';
import { rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { freshDatabase } from '../support/database.ts';
import { PATIENCE } from '../support/eventually.ts';
import { type WatchedLocks, watchGroupLocks } from '../support/group-locks.ts';

const Counted = defineEvent({
  type: 'Counted',
  version: 1,
  schema: z.object({ n: z.number() }),
  samples: { 1: { n: 1 } },
});

/** The events that the group `search` has taken, and those that all others have. */
const BEHIND = 500;
const MANY = 6_000;
/** The events of one page of a build. */
const PAGE = 2_000;

describe('A rebuild while one group is far behind', () => {
  let db: Database;
  let log: EventLog;
  let locks: WatchedLocks;
  let next = 0;
  /** The events that were read, in all and under the lock of a group. */
  let read = { all: 0, locked: 0 };

  beforeEach(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 10, applicationName: 'test', statementTimeout: 0, gather: true });
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    log = createEventLog(await openPostgresEventStore(url), createCodec([Counted], none));
    next = 0;
    await append(BEHIND);
    await follow(projections);
    await append(MANY - BEHIND);
    await follow([posts, homes]);
    locks = watchGroupLocks(db);
    read = { all: 0, locked: 0 };
  });
  afterEach(async () => {
    await log.close();
    await db.close();
  });

  async function append(count: number): Promise<void> {
    const events = Array.from({ length: count }, () => {
      next += 1;
      const metadata = { time: '2026-11-30T08:00:00.000Z', command_id: String(next), correlation_id: 'r' };
      return { id: deriveId(String(next)), type: 'Counted', data: { n: next }, metadata };
    });
    await log.append(`counting-${next}`, -1, events);
  }

  /** Lets the groups of these projections reach the head of the log, and stops them. */
  async function follow(followed: readonly Projection[]): Promise<void> {
    const checkpoints = new Checkpoints(db);
    const projector = await startProjector({
      projections: followed,
      log,
      db,
      checkpoints,
      program: '1',
      onFailure: (failure) => expect.fail(failure.error),
      onError: (error) => expect.fail(String(error)),
    });
    const head = await log.head();
    for (const { group } of followed) expect(await checkpoints.reached(group, head, PATIENCE)).to.equal(true);
    await projector.stop();
    checkpoints.close();
  }

  const projection = (name: string, group: string, version = 1): Projection => ({
    name,
    version,
    group,
    tables: { [name]: 'n integer primary key' },
    indexes: [],
    handlers: [
      on(Counted, {
        keys: ({ data }) => [String(data.n)],
        apply: async (events, connection) => {
          const numbers = events.map(({ data }) => data.n);
          await connection.query(`insert into ${name} select n from unnest($1::int[]) n`, [numbers]);
        },
      }),
    ],
  });
  const posts = projection('posts', 'main');
  const homes = projection('homes', 'home');
  const words = projection('words', 'search');
  const projections = [posts, homes, words];

  /** The log, which counts what is read, and calls `onRead` before each page. */
  const counting = (onRead: () => Promise<void> = () => Promise.resolve()): EventLog => ({
    ...log,
    readAll: async (after, limit) => {
      await onRead();
      const page = await log.readAll(after, limit);
      read.all += page.length;
      if (locks.isHeld()) read.locked += page.length;
      return page;
    },
  });
  const rows = async (table: string): Promise<number> =>
    Number(
      (await db.query<{ count: string }>(`select count(*) as count from ${READ_MODELS}.${table}`))[0]?.count,
    );
  const allRows = (): Promise<number[]> => Promise.all(['posts', 'homes', 'words'].map(rows));
  const positions = (): Promise<{ name: string; position: string }[]> =>
    db.query('select name, position from durable.projections order by name');
  const isWhole = async (): Promise<void> => {
    await follow(projections);
    expect(await allRows()).to.deep.equal([next, next, next]);
    expect(await verify({ projections, log, db })).to.deep.equal([]);
  };

  it('reads each event once, and none under the lock of a group', async () => {
    await rebuild({ projections, log: counting(), db: locks.db });
    expect(read).to.deep.equal({ all: MANY, locked: 0 });
    expect(locks.held).to.have.length(projections.length);
    expect(await allRows()).to.deep.equal([MANY, MANY, BEHIND]);
    expect(await positions()).to.deep.equal([
      { name: 'homes', position: String(MANY) },
      { name: 'posts', position: String(MANY) },
      { name: 'words', position: String(BEHIND) },
    ]);
    await isWhole();
  });

  it('is compared without the lock of a group, each event read once', async () => {
    expect(await verify({ projections, log: counting(), db: locks.db })).to.deep.equal([]);
    expect(read).to.deep.equal({ all: MANY, locked: 0 });
    expect(locks.held).to.deep.equal([]);
    await db.query('delete from words where n = 7');
    const differences = await verify({ projections, log, db });
    expect(differences.map(({ table }) => table)).to.deep.equal(['words']);
  });

  it('takes what the groups take meanwhile before it locks them, and reports it', async () => {
    const reported: Progress[] = [];
    let pages = 0;
    const moving = counting(async () => {
      pages += 1;
      if (pages !== 3) return;
      await append(300);
      await follow(projections);
    });
    const onProgress = (progress: Progress): unknown => reported.push(progress);
    await rebuild({ projections, log: moving, db: locks.db, onProgress });
    expect(read.locked).to.equal(0);
    // The part that `search` lacked is read a second time, for it alone.
    expect(read.all).to.equal(MANY + (MANY + 300 - BEHIND));
    expect(await allRows()).to.deep.equal([MANY + 300, MANY + 300, MANY + 300]);
    const last = reported.at(-1)!;
    expect(countEvents(last)).to.deep.equal({ done: read.all, total: read.all, estimated: false });
    for (const [before, after] of reported.slice(1).map((each, n) => [reported[n]!, each] as const))
      expect(after.position > before.position).to.equal(true);
    await isWhole();
  });

  it('puts a halted read model at the position of its group', async () => {
    const companion = projection('companions', 'main');
    await follow([posts, companion]);
    await db.query(`update durable.projections set position = 10, halted = true where name = 'companions'`);
    await db.query('delete from companions where n > 10');
    await rebuild({ projections: [companion], log: counting(), db: locks.db });
    expect(read).to.deep.equal({ all: MANY, locked: 0 });
    expect(await positions()).to.deep.include({ name: 'companions', position: String(MANY) });
    expect(await rows('companions')).to.equal(MANY);
  });

  it('is not held back by the checkpoint of a read model that this version does not have', async () => {
    await db.query(
      `insert into durable.projections (name, version, "group", position) values ('gone', 1, 'main', 3)`,
    );
    await rebuild({ projections: [posts], log: counting(), db: locks.db });
    expect(read).to.deep.equal({ all: MANY, locked: 0 });
    expect(await positions()).to.deep.include({ name: 'posts', position: String(MANY) });
  });

  it('is resumed with every event, also after it has read past a group', async () => {
    const newer = projections.map(({ name, group }) => projection(name, group, 2));
    const stopping = new AbortController();
    const broken: unknown = await buildMissing({
      projections: newer,
      log,
      db,
      program: '1',
      signal: stopping.signal,
      onBuild: (_names, { position }) => {
        if (position >= BigInt(PAGE)) stopping.abort(new Error('killed'));
      },
    }).catch((error: unknown) => error);
    expect((broken as Error).message).to.equal('killed');
    await follow([words]);
    await buildMissing({ projections: newer, log, db, program: '1' });
    expect(await allRows()).to.deep.equal([MANY, MANY, MANY]);
    expect(await verify({ projections: newer, log, db })).to.deep.equal([]);
  });

  it('compares at one moment of a group that moves meanwhile', async () => {
    let pages = 0;
    const moving = counting(async () => {
      pages += 1;
      await append(10);
      if (pages < 6) await follow(projections);
    });
    expect(await verify({ projections, log: moving, db: locks.db })).to.deep.equal([]);
    expect(pages).to.be.greaterThan(3);
  });
});
