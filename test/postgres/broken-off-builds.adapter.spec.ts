import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { on, type Projection } from '#kernel/projection.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase, READ_MODELS } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { buildMissing } from '#storage/postgres/projector/projector.ts';
import { build, catchUp, type Progress } from '#storage/postgres/rebuild/build.ts';
import { buildsUnderWay } from '#storage/postgres/rebuild/build-progress.ts';
import { rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { freshDatabase } from '../support/database.ts';

const Counted = defineEvent({
  type: 'Counted',
  version: 1,
  schema: z.object({ n: z.number() }),
  samples: { 1: { n: 1 } },
});
const Marked = defineEvent({
  type: 'Marked',
  version: 1,
  schema: z.object({ n: z.number() }),
  samples: { 1: { n: 1 } },
});

/** The number of events: several pages. */
const MANY = 9_000;

describe('An interrupted build of read models', () => {
  let db: Database;
  let log: EventLog;
  let next = 0;
  /** The event numbers that each projection received, in order. */
  let given: Record<string, number[]> = {};

  beforeEach(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 8, applicationName: 'test', statementTimeout: 0, gather: true });
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    log = createEventLog(await openPostgresEventStore(url), createCodec([Counted, Marked], none));
    [next, given] = [0, { numbers: [], sums: [], marks: [] }];
    await append(MANY);
    await append(1, 'Marked');
  });
  afterEach(async () => {
    await log.close();
    await db.close();
  });

  async function append(count: number, type = 'Counted'): Promise<void> {
    const events = Array.from({ length: count }, () => {
      next += 1;
      const metadata = { time: '2026-11-23T08:00:00.000Z', command_id: String(next), correlation_id: 'r' };
      return { id: deriveId(String(next)), type, data: { n: next }, metadata };
    });
    await log.append(`counting-${next}`, -1, events);
  }

  const projection = (
    name: string,
    event: typeof Counted | typeof Marked,
    { version = 1, columns = 'n integer primary key' } = {},
  ): Projection => ({
    name,
    version,
    group: 'one',
    tables: { [name]: columns },
    indexes: [`create index ${name}_backwards on ${name} (n desc)`],
    handlers: [
      on(event as typeof Counted, {
        keys: ({ data }) => [String(data.n)],
        apply: async (events, connection) => {
          const numbers = events.map(({ data }) => data.n);
          given[name]?.push(...numbers);
          await connection.query(`insert into ${name} select n from unnest($1::int[]) n`, [numbers]);
        },
      }),
    ],
  });
  const numbers = projection('numbers', Counted);
  const sums = projection('sums', Counted);
  const marks = projection('marks', Marked);
  const projections = [numbers, sums, marks];

  /** Builds missing read models and aborts when `ends` returns true. */
  async function start(
    { program = '1', wanted = projections }: { program?: string; wanted?: Projection[] } = {},
    ends: (position: bigint) => boolean = () => false,
  ): Promise<'ended' | 'built'> {
    const stopping = new AbortController();
    const { signal } = stopping;
    try {
      await buildMissing({
        projections: wanted,
        log,
        db,
        program,
        signal,
        onBuild: (_names, { position }) => {
          if (ends(position)) stopping.abort(new Error('killed'));
        },
      });
      return 'built';
    } catch (error) {
      expect((error as Error).message).to.equal('killed');
      return 'ended';
    }
  }
  const rows = async (table: string): Promise<number> =>
    Number(
      (await db.query<{ count: string }>(`select count(*) as count from ${READ_MODELS}.${table}`))[0]?.count,
    );
  const isWhole = async (): Promise<void> => {
    expect([await rows('numbers'), await rows('sums'), await rows('marks')]).to.deep.equal([
      next - 1,
      next - 1,
      1,
    ]);
    expect(await verify({ projections, log, db })).to.deep.equal([]);
    expect(await buildsUnderWay(db)).to.deep.equal([]);
    const indexes = await db.query(
      `select 1 from pg_indexes where schemaname = '${READ_MODELS}' and indexname like '%_backwards'`,
    );
    expect(indexes).to.have.length(3);
  };

  it('is resumed by the next start, which applies each event exactly once', async () => {
    expect(await start({}, (position) => position >= 4_000n)).to.equal('ended');
    const before = given['numbers']?.length ?? 0;
    expect(before).to.be.within(4_000, MANY);
    given = { numbers: [], sums: [], marks: [] };
    expect(await start()).to.equal('built');
    expect(given['numbers']).to.have.length(next - 1 - before);
    await isWhole();
  });

  it('can be interrupted any number of times', async () => {
    for (const end of [2_000n, 4_000n, 6_000n, 8_000n]) {
      expect(await start({}, (position) => position >= end)).to.equal('ended');
    }
    expect(await start()).to.equal('built');
    expect(new Set(given['sums']).size).to.equal(given['sums']?.length);
    await isWhole();
  });

  it('starts again for another program, for other versions and for a rebuild', async () => {
    const half = (position: bigint): boolean => position >= 4_000n;
    await start({}, half);
    given = { numbers: [], sums: [], marks: [] };
    await start({ program: '2' }, half);
    expect(given['numbers']?.[0]).to.equal(1);
    given = { numbers: [], sums: [], marks: [] };
    const changed = { ...sums, version: 2 };
    expect(await start({ program: '2', wanted: [numbers, changed, marks] })).to.equal('built');
    expect(given['numbers']).to.have.length(MANY);
    given = { numbers: [], sums: [], marks: [] };
    await rebuild({ projections: [numbers], log, db });
    expect(given['numbers']).to.have.length(MANY);
    expect(await rows('numbers')).to.equal(MANY);
  });

  it('is resumed after some tables have taken their place', async () => {
    const stopping = new AbortController();
    const switching: Database = {
      query: db.query,
      pipeline: db.pipeline,
      close: db.close,
      transaction: async (work) => {
        const done = await db.transaction(work);
        if ((await db.query('select name from durable.projections')).length > 0)
          stopping.abort(new Error('killed'));
        return done;
      },
    };
    const options = { projections, log, db: switching, program: '1', signal: stopping.signal };
    const reason: unknown = await buildMissing(options).catch((error: unknown) => error);
    expect((reason as Error).message).to.equal('killed');
    const live = await db.query('select name from durable.projections');
    expect(live).to.deep.equal([{ name: 'numbers' }]);
    given = { numbers: [], sums: [], marks: [] };
    expect(await start()).to.equal('built');
    expect(given).to.deep.equal({ numbers: [], sums: [], marks: [] });
    await isWhole();
  });

  it('is removed when an earlier version of the program left it in a schema of another name', async () => {
    await db.query('create schema build_numbers_sums');
    await db.query('create table build_numbers_sums.numbers (n integer)');
    expect(await start()).to.equal('built');
    const left = await db.query(`select nspname from pg_namespace where nspname like 'build%'`);
    expect(left).to.deep.equal([]);
  });

  it('reports all events that it read, also while it catches up', async () => {
    const reported: number[] = [];
    const options = { projections, log, db, onProgress: ({ events }: Progress) => reported.push(events) };
    const built = await build('counted', options);
    expect(reported.at(-1)).to.equal(MANY + 1);
    await append(10);
    await catchUp(built, { ...options, until: await log.head() });
    expect(reported.at(-1)).to.equal(MANY + 11);
  });
});
