import { setTimeout as sleep } from 'node:timers/promises';
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
import { isConnectionError } from '#storage/postgres/outage.ts';
import { rebuild } from '#storage/postgres/rebuild/rebuild.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { type CrashingPostgres, startCrashingPostgres } from './crashing-postgres.ts';

const define = <Type extends string>(type: Type) =>
  defineEvent({ type, version: 1, schema: z.object({ n: z.number() }), samples: { 1: { n: 1 } } });
const Marked = define('Marked');
const Counted = define('Counted');

/** More than one page of the log. */
const MANY = 3_000;

describe('A build of read models whose commits PostgreSQL loses in a crash', function () {
  this.timeout(3 * PATIENCE);
  let postgres: CrashingPostgres;
  let db: Database;
  let log: EventLog;

  beforeEach(async () => {
    postgres = await startCrashingPostgres();
    const { url } = postgres;
    await migrate(url);
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    db = openDatabase({
      url,
      max: 10,
      applicationName: 'test',
      statementTimeout: 0,
      gather: true,
      synchronousCommit: false,
    });
    await db.query(`create schema ${READ_MODELS}`);
    log = createEventLog(await openPostgresEventStore(url), createCodec([Marked, Counted], none));
    const events = Array.from({ length: MANY }, (_, index) => ({
      id: deriveId(String(index)),
      type: index === 0 ? 'Marked' : 'Counted',
      data: { n: index },
      metadata: { time: '2026-11-23T08:00:00.000Z', command_id: String(index), correlation_id: 'r' },
    }));
    await log.append('counting', -1, events);
  });
  afterEach(async () => {
    await log.close();
    await db.close();
    await postgres.stop();
  });

  const projection = (name: string, event: typeof Marked | typeof Counted): Projection => ({
    name,
    version: 1,
    group: 'one',
    tables: { [name]: 'n integer primary key' },
    indexes: [],
    handlers: [
      on(event as typeof Marked, {
        keys: ({ data }) => [String(data.n)],
        apply: async (events, connection) => {
          await connection.query(`insert into ${name} select n from unnest($1::int[]) n`, [
            events.map(({ data }) => data.n),
          ]);
        },
      }),
    ],
  });

  /** Rebuilds, and loses the commits of the first page before the second is read. @returns the error of the build */
  async function rebuildWithLoss(built: Projection): Promise<unknown> {
    let pages = 0;
    let lost: Promise<void> | undefined;
    const readAll: EventLog['readAll'] = async (...args) => {
      const page = await log.readAll(...args);
      pages += 1;
      if (pages === 1) {
        await eventually(async () => expect(await written()).to.equal('0'));
        const losing = Promise.withResolvers<undefined>();
        lost = postgres.loseCommitsOf(async () => {
          losing.resolve(undefined);
          await eventually(async () => expect(await written()).not.to.equal('0'));
        });
        await losing.promise;
      } else {
        await lost;
        // The build notes its progress once a second.
        await sleep(1_000);
      }
      return page;
    };
    return rebuild({ projections: [built], log: { ...log, readAll }, db, program: '1' }).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  const written = async (): Promise<string | undefined> => {
    const rows = await db.query<{ position: string }>(
      'select position from build_read_models.build_progress',
    );
    return rows[0]?.position;
  };
  const rows = async (table: string): Promise<number> =>
    (await db.query<{ n: number }>(`select n from ${READ_MODELS}.${table}`)).length;
  const isBuilt = async (): Promise<boolean> =>
    (await db.query('select from durable.projections')).length > 0;

  it('puts no incomplete table in place, and the next build completes it', async () => {
    const marks = projection('marks', Marked);
    const error = await rebuildWithLoss(marks);
    expect(isConnectionError(error), String(error)).to.equal(true);
    expect(await isBuilt()).to.equal(false);
    await rebuild({ projections: [marks], log, db, program: '1' });
    expect(await rows('marks')).to.equal(1);
  });

  it('blames no event for the loss, and the next build completes the table', async () => {
    const counts = projection('counts', Counted);
    const error = await rebuildWithLoss(counts);
    expect(isConnectionError(error), String(error)).to.equal(true);
    await rebuild({ projections: [counts], log, db, program: '1' });
    expect(await rows('counts')).to.equal(MANY - 1);
  });
});
