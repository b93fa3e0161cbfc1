import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { on, type Projection } from '#kernel/projection.ts';
import type { DifferingRow } from '#kernel/services/read-models.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { buildMissing } from '#storage/postgres/projector/projector.ts';
import { compare, rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { freshDatabase } from '../support/database.ts';

const Tagged = defineEvent({
  type: 'Tagged',
  version: 1,
  schema: z.object({ n: z.number() }),
  samples: { 1: { n: 1 } },
});

/** Ids above the largest integer of JavaScript. */
const FIRST = 9_007_199_254_740_993n;
const idOf = (n: number): string => String(FIRST + BigInt(n));

const LONG = 'a long text that nobody is to read in a report about tables';

const tagged: Projection = {
  name: 'tagged',
  version: 1,
  group: 'one',
  tables: {
    tagged:
      'id bigint, tag text, text text, seen boolean, at timestamptz, uses integer, primary key (id, tag)',
  },
  indexes: [],
  handlers: [
    on(Tagged, {
      apply: async (events, db) => {
        const ids = events.map(({ data }) => idOf(data.n));
        await db.query(
          `insert into tagged select id, 'cats', '${LONG}', true, '2026-11-30T08:00:00Z', 1 from unnest($1::bigint[]) id`,
          [ids],
        );
      },
    }),
  ],
};

describe('The rows that differ from the log', () => {
  let db: Database;
  let log: EventLog;

  beforeEach(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 10, applicationName: 'test', statementTimeout: 0, gather: true });
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    log = createEventLog(await openPostgresEventStore(url), createCodec([Tagged], none));
    const metadata = { time: '2026-11-30T08:00:00.000Z', command_id: 'c', correlation_id: 'r' };
    const events = Array.from({ length: 20 }, (_, n) => ({
      id: deriveId(String(n)),
      type: 'Tagged',
      data: { n },
      metadata,
    }));
    await log.append('tagging-1', -1, events);
    await buildMissing({ projections: [tagged], log, db, program: '1' });
  });
  afterEach(async () => {
    await log.close();
    await db.close();
  });

  const rowsThatDiffer = async (): Promise<DifferingRow[]> => {
    const differences = await verify({ projections: [tagged], log, db, keyTexts: true });
    return differences.flatMap(({ table, rows }) => {
      expect(table).to.equal('tagged');
      return rows;
    });
  };
  const schemas = async (): Promise<string[]> =>
    (
      await db.query<{ name: string }>(
        `select nspname as name from pg_namespace where nspname like 'verify%'`,
      )
    ).map(({ name }) => name);

  it('are named by key, as missing, surplus or changed, with their columns and shortened values', async () => {
    expect(await rowsThatDiffer()).to.deep.equal([]);
    await db.query('delete from tagged where id = $1', [idOf(3)]);
    await db.query(`insert into tagged values ($1, 'dogs', 'x', null, null, 0)`, [idOf(4)]);
    await db.query(
      `update tagged set text = 'secret', seen = null, at = at + interval '1 second', uses = 2 where id = $1`,
      [idOf(5)],
    );
    expect(await rowsThatDiffer()).to.deep.equal([
      { key: { id: idOf(3), tag: 'cats' }, kind: 'missing', columns: [] },
      { key: { id: idOf(4), tag: 'dogs' }, kind: 'surplus', columns: [] },
      {
        key: { id: idOf(5), tag: 'cats' },
        kind: 'changed',
        columns: [
          { name: 'text', live: '6 characters', rebuilt: `${LONG.length} characters` },
          { name: 'seen', live: null, rebuilt: 'true' },
          { name: 'at', live: '2026-11-30T08:00:01+00:00', rebuilt: '2026-11-30T08:00:00+00:00' },
          { name: 'uses', live: '2', rebuilt: '1' },
        ],
      },
    ]);
  });

  it('are at most five for each table, the first by their key', async () => {
    await db.query('update tagged set uses = 7');
    const rows = await rowsThatDiffer();
    expect(rows.map(({ key }) => key['id'])).to.deep.equal([0, 1, 2, 3, 4].map(idOf));
  });

  it('are named without the texts of their keys in the report of a run, which is kept', async () => {
    await db.query('delete from tagged where id = $1', [idOf(3)]);
    const [digests] = await compare({ projections: [tagged], log, db });
    expect(digests?.rows.map(({ key }) => key)).to.deep.equal([{ id: idOf(3), tag: '4 characters' }]);
  });

  it('leave no schema behind when the comparison fails or was killed', async () => {
    const broken: Projection = {
      ...tagged,
      handlers: [on(Tagged, { apply: () => Promise.reject(new Error('Broken')) })],
    };
    const failure: unknown = await verify({ projections: [broken], log, db }).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).to.include('Broken');
    expect(await schemas()).to.deep.equal([]);
    for (const next of [verify, rebuild]) {
      await db.query('create schema verify_4711; create table verify_4711.tagged (id bigint)');
      await next({ projections: [tagged], log, db });
      expect(await schemas()).to.deep.equal([]);
    }
  });
});
