import { expect } from 'chai';
import type { Projection } from '#kernel/projection.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { doneMigrations, migrate } from '#storage/postgres/migrations/index.ts';
import { buildMissing } from '#storage/postgres/projector/projector.ts';
import { rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { tablesDigest } from '#storage/postgres/rebuild/tables-digest.ts';
import { freshDatabase } from '../support/database.ts';
import { appendNote, notes, openLogOfNotes } from './notes.ts';

const DIGESTS = '20261201000000_projection_digests';

describe('The tables of a read model that changed without its version', () => {
  let url: string;
  let db: Database;
  let log: EventLog;
  const narrow: Projection = { ...notes(1), handlersDigests: ['narrow'] };
  /** One column more. */
  const wide: Projection = { ...notes(2), version: 1, handlersDigests: ['wide'] };
  const companion = notes(1, 'two');

  beforeEach(async () => {
    url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 10, applicationName: 'test', statementTimeout: 0, gather: true });
    log = await openLogOfNotes(url);
    for (const n of [1, 2]) await appendNote(log, n);
  });
  afterEach(async () => {
    await log.close();
    await db.close();
  });

  /** Starts a program with these projections. @returns the read models that it found changed */
  const start = async (...projections: Projection[]): Promise<string[]> => {
    const others: string[] = [];
    const onOtherTables = (names: readonly string[]): unknown => others.push(...names);
    await buildMissing({ projections, log, db, program: '1', onOtherTables });
    return others;
  };
  const stored = () =>
    db.query<{ name: string; tables_digest: string | null; handlers_digest: string | null }>(
      'select name, tables_digest, handlers_digest from durable.projections order by name',
    );
  const builtAt = async (name: string): Promise<string> => {
    const [row] = await db.query<{ built_at: string }>(
      'select built_at::text from durable.projections where name = $1',
      [name],
    );
    return row?.built_at ?? expect.fail(`${name} is not built`);
  };
  const doubles = () => db.query('select n, double from notes order by n');
  /** Makes the database one of the version before the digests. */
  const forgetDigests = async (): Promise<void> => {
    await db.query('alter table durable.projections drop column tables_digest, drop column handlers_digest');
    await db.query('delete from durable.migrations where name = $1', [DIGESTS]);
    expect(await doneMigrations(db)).not.to.include(DIGESTS);
    await migrate(url);
  };

  it('are rebuilt by the next start, and tables of other read models stay', async () => {
    await start(narrow, companion);
    const before = await builtAt('notes_two');
    expect(await start(wide, companion)).to.deep.equal(['notes']);
    expect(await doubles()).to.deep.equal([
      { n: 1, double: 2 },
      { n: 2, double: 4 },
    ]);
    expect(await builtAt('notes_two')).to.equal(before);
    expect(await stored()).to.deep.equal([
      { name: 'notes', tables_digest: tablesDigest(wide), handlers_digest: 'wide' },
      { name: 'notes_two', tables_digest: tablesDigest(companion), handlers_digest: null },
    ]);
    expect(await verify({ projections: [wide, companion], log, db })).to.deep.equal([]);
    expect(await start(wide, companion)).to.deep.equal([]);
  });

  it('are rebuilt in a database without digests, and equal tables are only noted', async () => {
    await start(narrow, companion);
    const before = await builtAt('notes_two');
    await forgetDigests();
    expect(await start(wide, companion)).to.deep.equal(['notes']);
    expect(await doubles()).to.have.length(2);
    expect(await builtAt('notes_two')).to.equal(before);
    expect(await stored()).to.deep.equal([
      { name: 'notes', tables_digest: tablesDigest(wide), handlers_digest: 'wide' },
      { name: 'notes_two', tables_digest: tablesDigest(companion), handlers_digest: null },
    ]);
    expect(await start(wide, companion)).to.deep.equal([]);
  });

  it('are rebuilt where one is missing', async () => {
    await start(narrow);
    await db.query('drop table notes cascade');
    await forgetDigests();
    expect(await start(narrow)).to.deep.equal(['notes']);
    expect(await db.query('select n from notes order by n')).to.deep.equal([{ n: 1 }, { n: 2 }]);
  });

  const CHANGES: readonly (readonly [change: string, changed: Partial<Projection>])[] = [
    ['a type', { tables: { notes: 'n bigint primary key' } }],
    ['a key', { tables: { notes: 'n integer' } }],
    ['a default', { tables: { notes: 'n integer primary key default 7' } }],
    ['an index', { indexes: ['create index notes_backwards on notes (n desc)'] }],
    ['an index of handlers', { handlerIndexes: ['create index notes_odd on notes ((n % 2))'] }],
    ['a table', { tables: { ...narrow.tables, margins: 'n integer' } }],
    ['an option', { indexes: ['alter table notes alter n set (n_distinct = -0.5)'] }],
  ];
  for (const [change, changed] of CHANGES) {
    it(`are rebuilt for ${change}`, async () => {
      await start(narrow);
      expect(await start({ ...narrow, ...changed })).to.deep.equal(['notes']);
      expect(await start({ ...narrow, ...changed })).to.deep.equal([]);
    });
  }

  it('stay when only the text of their declaration changed, and with an index of the operator', async () => {
    await start(narrow);
    const before = await builtAt('notes');
    await db.query('create index notes_of_operator on notes (n, n)');
    const rewritten: Projection = { ...narrow, tables: { notes: 'n int, primary key (n)' } };
    expect(tablesDigest(rewritten)).not.to.equal(tablesDigest(narrow));
    expect(await start(rewritten)).to.deep.equal([]);
    expect(await builtAt('notes')).to.equal(before);
    expect(await stored()).to.deep.equal([
      { name: 'notes', tables_digest: tablesDigest(rewritten), handlers_digest: 'narrow' },
    ]);
  });

  it('do not continue an interrupted build of the earlier tables', async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const options = { log, db, program: '1', signal, onBuild: () => stopping.abort(new Error('killed')) };
    const broken: unknown = await buildMissing({ projections: [narrow], ...options }).catch(
      (error: unknown) => error,
    );
    expect(broken).to.equal(signal.reason);
    expect(await start(wide)).to.deep.equal([]);
    expect(await doubles()).to.have.length(2);
  });

  it('keep the digest of their handlers until a rebuild', async () => {
    await start(narrow);
    const refactored: Projection = { ...narrow, handlersDigests: ['refactored', 'narrow'] };
    expect(await start(refactored)).to.deep.equal([]);
    expect((await stored())[0]?.handlers_digest).to.equal('narrow');
    await rebuild({ projections: [refactored], log, db });
    expect((await stored())[0]?.handlers_digest).to.equal('refactored');
  });
});
