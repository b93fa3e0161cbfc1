import { expect } from 'chai';
import type { Notifications } from '#kernel/listening.ts';
import type { Projection } from '#kernel/projection.ts';
import { despite, statement } from '#kernel/read.ts';
import { ReadModelHalted } from '#kernel/read-model-halted.ts';
import type { LastTry } from '#kernel/services/read-models.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { Rejected } from '#storage/postgres/projector/event-applier.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';
import { assertFollowing } from '#storage/postgres/projector/following.ts';
import { HaltedReadModels } from '#storage/postgres/projector/halted-read-models.ts';
import {
  askProjectorsToRetry,
  type Projector,
  startProjector,
} from '#storage/postgres/projector/projector.ts';
import { allSkips, isLeftOut, removeSkip, storeSkip } from '#storage/postgres/projector/skips.ts';
import { rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { appendNote, notes, openLogOfNotes } from './notes.ts';

describe('The projection runner', () => {
  let url: string;
  let db: Database;
  let log: EventLog;
  let readable = true;
  let checkpoints: Checkpoints;
  let projector: Projector | undefined;
  const failures: Failure[] = [];
  const errors: unknown[] = [];

  beforeEach(async () => {
    url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 6, applicationName: 'test', statementTimeout: 0, gather: true });
    readable = true;
    log = await openLog();
    checkpoints = new Checkpoints(db);
    failures.length = 0;
    errors.length = 0;
  });
  afterEach(async () => {
    await projector?.stop();
    projector = undefined;
    checkpoints.close();
    await log.close();
    await db.close();
  });

  const openLog = (): Promise<EventLog> => openLogOfNotes(url, () => readable);
  const start = async (...given: (Projection | Notifications)[]): Promise<void> => {
    const onError = (error: unknown): unknown => errors.push(error);
    const onFailure = (failure: Failure): unknown => failures.push(failure);
    const projections = given.filter((each) => 'handlers' in each);
    const notifications = given.find((each) => 'subscribe' in each);
    projector = await startProjector({
      projections,
      log,
      db,
      checkpoints,
      onFailure,
      onError,
      program: '1',
      ...(notifications ? { notifications } : {}),
    });
  };
  /** The failures that the runner reported, by group. */
  const still = async (): Promise<string | undefined> =>
    assertFollowing(checkpoints, log).then(
      () => undefined,
      (error: Error) => error.message,
    );
  const note = (n: number): Promise<bigint> => appendNote(log, n);
  const numbers = async (table = 'notes'): Promise<number[]> =>
    (await db.query<{ n: number }>(`select n from ${table} order by n`)).map(({ n }) => n);

  it('follows the log and resumes from its checkpoint after a restart', async () => {
    await start(notes(1));
    await checkpoints.reached('one', await note(1), PATIENCE);
    await projector?.stop();
    const position = await note(2);
    await start(notes(1));
    await checkpoints.reached('one', position, PATIENCE);
    expect(await numbers()).to.deep.equal([1, 2]);
  });

  const stateOf = async (name = 'notes') => {
    const [row] = await db.query<{ halted: boolean; position: string; failure: Failure | null }>(
      'select halted, position, failure from durable.projections where name = $1',
      [name],
    );
    return row;
  };
  /** A projection in the group of `notes`, which takes everything. */
  const companion = { ...notes(1, 'two'), group: 'one' };

  it('halts one projection at an event that its handler rejects, and the others of its group go on', async () => {
    await start(notes(1, 'one', 2), companion, notes(1, 'three'));
    await note(1);
    await note(2);
    const last = await note(3);
    for (const group of ['one', 'three'])
      expect(await checkpoints.reached(group, last, PATIENCE)).to.equal(true);
    expect(await numbers('notes_two')).to.deep.equal([1, 2, 3]);
    expect(await numbers()).to.deep.equal([1]);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include({
      projection: 'notes',
      position: '2',
      event_type: 'Noted',
      error: 'cannot take this one',
    });
    expect(await stateOf()).to.deep.equal({ halted: true, position: '1', failure: failures[0] });
    expect(await checkpoints.groups()).to.deep.include({
      group: 'one',
      position: last,
      failed: false,
      halted: ['notes'],
      empty: false,
    });
    expect(await still()).to.equal(undefined);
  });

  it('lets a halted projection catch up alone and join its group again', async () => {
    let broken = true;
    const healing = notes(1);
    const [{ type, handler }] = healing.handlers as [(typeof healing.handlers)[0]];
    const apply: typeof handler.apply = async (events, ...rest) => {
      if (broken && events.some(({ data }) => (data as { n: number }).n === 2)) throw new Error('odd');
      await handler.apply(events, ...rest);
    };
    const notifications = await openNotifications(url);
    await start(
      { ...healing, handlers: [{ type, handler: { ...handler, apply } }] },
      companion,
      notifications,
    );
    for (let n = 1; n <= 40; n += 1) await note(n);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    broken = false;
    const writing = (async () => {
      let last = 0n;
      for (let n = 41; n <= 120; n += 1) last = await note(n);
      return last;
    })();
    await askProjectorsToRetry(db);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(false));
    const last = await writing;
    expect(await checkpoints.reached('one', last, PATIENCE)).to.equal(true);
    await eventually(async () => expect((await stateOf())?.position).to.equal(String(last)));
    expect(await numbers()).to.have.length(120);
    expect(await numbers('notes_two')).to.have.length(120);
    expect(projector?.halted()).to.deep.equal([]);
    await notifications.close();
  });

  it('tries a halted projection again at the next start', async () => {
    await start(notes(1, 'one', 2), companion);
    await note(1);
    const last = await note(2);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    await projector?.stop();
    await start(notes(1), companion);
    await eventually(async () =>
      expect(await stateOf()).to.deep.equal({ halted: false, position: String(last), failure: null }),
    );
    expect(await numbers()).to.deep.equal([1, 2]);
  });

  const lastTry = async (): Promise<LastTry | null | undefined> => {
    const [row] = await db.query<{ last_try: LastTry | null }>(
      `select last_try from durable.projections where name = 'notes'`,
    );
    return row?.last_try;
  };

  it('stores when a halted projection was last retried, and how that ended', async () => {
    const notifications = await openNotifications(url);
    const begun = new Date().toISOString();
    await start(notes(1, 'one', 2), companion, notifications);
    // A retry while the group is before the event joins it, and is rejected with it.
    await checkpoints.reached('one', await note(2), PATIENCE);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    expect(await lastTry()).to.equal(null);
    await askProjectorsToRetry(db);
    const { at, ...inVain } = await eventually(async () => (await lastTry()) ?? expect.fail('not retried'));
    expect(inVain).to.deep.equal({ outcome: 'rejected', error: 'cannot take this one' });
    expect(at >= begun && at <= new Date().toISOString()).to.equal(true);
    await projector?.stop();
    await start(notes(1), companion);
    await eventually(async () => expect(await lastTry()).to.include({ outcome: 'went_on', error: null }));
    expect((await stateOf())?.halted).to.equal(false);
    await rebuild({ projections: [notes(1)], log, db });
    expect(await lastTry()).to.equal(null);
    await notifications.close();
  });

  it('stores why a retry did not get to the event', async () => {
    await start(notes(1, 'one', 2), companion);
    await checkpoints.reached('one', await note(2), PATIENCE);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    await projector?.stop();
    readable = false;
    await start(notes(1), companion);
    await eventually(async () => expect((await lastTry())?.outcome).to.equal('failed'));
    expect((await lastTry())?.error).to.equal('The disk is odd');
    expect((await stateOf())?.halted).to.equal(true);
  });

  it('leaves out an event that the operator skips, also in a rebuild', async () => {
    const notifications = await openNotifications(url);
    const poisoned = notes(1, 'one', 2);
    await start(poisoned, companion, notifications);
    await note(1);
    const position = await note(2);
    const last = await note(3);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    const event = { position: String(position), event_id: deriveId('2'), event_type: 'Noted' };
    await storeSkip(db, { name: 'notes', ...event, reason: 'a spec' });
    await askProjectorsToRetry(db);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(false));
    expect(await checkpoints.reached('one', last, PATIENCE)).to.equal(true);
    // The group may have reached the last event before the skipping projection is in it again.
    await eventually(async () => expect(await numbers()).to.deep.equal([1, 3]));
    expect(await numbers('notes_two')).to.deep.equal([1, 2, 3]);
    await rebuild({ projections: [poisoned], log, db });
    expect(await numbers()).to.deep.equal([1, 3]);
    expect(await verify({ projections: [poisoned, companion], log, db })).to.deep.equal([]);
    expect(await removeSkip(db, 'notes', String(position))).to.equal(true);
    expect(await removeSkip(db, 'notes', String(position))).to.equal(false);
    expect((await allSkips(db)).map(isLeftOut)).to.deep.equal([false]);
    const again: unknown = await rebuild({ projections: [poisoned], log, db }).catch(
      (error: unknown) => error,
    );
    expect(again).to.be.instanceOf(Rejected);
    expect((again as Rejected).failure).to.include({ projection: 'notes', position: '2' });
    expect(await numbers()).to.deep.equal([1, 3]);
    // The table still lacks the event.
    expect(await allSkips(db)).to.have.length(1);
    await rebuild({ projections: [notes(1)], log, db });
    expect(await numbers()).to.deep.equal([1, 2, 3]);
    expect(await allSkips(db)).to.deep.equal([]);
    await notifications.close();
  });

  it('refuses statements about a halted read model, and no others', async () => {
    const notifications = await openNotifications(url);
    const halted = new HaltedReadModels([notes(1), companion]);
    const guarded = openDatabase({ url, max: 1, applicationName: 'guarded', check: halted.check });
    await start(notes(1, 'one', 2), companion, notifications);
    await halted.listen(db, notifications);
    const reading = statement('spec_notes', 'select n from notes join notes_two using (n)');
    await checkpoints.reached('one', await note(1), PATIENCE);
    expect(await guarded.query(reading)).to.deep.equal([{ n: 1 }]);
    await note(2);
    const refused = await eventually(async () => {
      const error: unknown = await guarded.query(reading).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(ReadModelHalted);
      return error as ReadModelHalted;
    });
    expect(refused.message).to.equal('The read model notes is halted until the operator mends it');
    await eventually(async () =>
      expect(await guarded.query('select count(*)::int as count from notes_two')).to.deep.equal([
        { count: 2 },
      ]),
    );
    expect(halted.names).to.deep.equal(['notes']);
    expect(await guarded.query(despite(['notes'], reading))).to.deep.equal([{ n: 1 }]);
    const other: unknown = await guarded.query(despite(['others'], reading)).catch((error: unknown) => error);
    expect(other).to.be.instanceOf(ReadModelHalted);
    const event = { position: '2', event_id: deriveId('2'), event_type: 'Noted' };
    await storeSkip(db, { name: 'notes', ...event, reason: 'a spec' });
    await askProjectorsToRetry(db);
    await eventually(async () => expect(await guarded.query(reading)).to.deep.equal([{ n: 1 }]));
    await guarded.close();
    await notifications.close();
  });

  it('retries the only projection of a group when the operator asks for it', async () => {
    let broken = true;
    const healing = notes(1);
    const [{ type, handler }] = healing.handlers as [(typeof healing.handlers)[0]];
    const apply: typeof handler.apply = async (events, ...rest) => {
      if (broken) throw new Error('the disk\nis odd');
      await handler.apply(events, ...rest);
    };
    const notifications = await openNotifications(url);
    await start({ ...healing, handlers: [{ type, handler: { ...handler, apply } }] }, notifications);
    const position = await note(1);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    expect(failures).to.have.length(1);
    expect(await still()).to.equal(undefined);
    await askProjectorsToRetry(db);
    await eventually(() => expect(failures).to.have.length(2));
    broken = false;
    await askProjectorsToRetry(db);
    await eventually(async () => expect((await stateOf())?.position).to.equal(String(position)));
    expect(await still()).to.equal(undefined);
    await notifications.close();
  });

  /** Appends an event past the codec. */
  const odd = async (type: string, data: string): Promise<void> => {
    await db.query(
      `insert into eventlog.events
       select coalesce(max(position), 0) + 1, 'odd-1', 0, gen_random_uuid(), $1, $2::text, '{}' from eventlog.events`,
      [type, data],
    );
  };
  const UNREADABLE = [
    ['Odd', '{}', 'The event at position 2 is of the type Odd, which this version of Rookery does not know'],
    ['Noted', '{"n":', /^The event Noted at position 2 is damaged: /],
  ] as const;
  for (const [type, data, error] of UNREADABLE) {
    it(`stands at ${type} ${data}, which cannot be decoded, until each projection skips it`, async () => {
      const notifications = await openNotifications(url);
      await start(notes(1), companion, notes(1, 'three'), notifications);
      await note(1);
      await odd(type, data);
      const last = await note(3);
      const names = ['notes', 'notes_two', 'notes_three'];
      for (const name of names) {
        const state = await eventually(async () => {
          const now = await stateOf(name);
          expect(now?.halted).to.equal(true);
          return now;
        });
        expect(state?.position).to.equal('1');
        expect(state?.failure).to.include({ projection: name, position: '2', event_type: type });
        expect(state?.failure?.error).to.match(typeof error === 'string' ? new RegExp(`^${error}$`) : error);
        await storeSkip(db, { name, position: '2', event_id: 'x', event_type: type, reason: 'a spec' });
        await askProjectorsToRetry(db);
        await eventually(async () => expect((await stateOf(name))?.position).to.equal(String(last)));
      }
      expect(await numbers()).to.deep.equal([1, 3]);
      expect(errors).to.deep.equal([]);
      expect(await verify({ projections: [notes(1), companion], log, db })).to.deep.equal([]);
      await notifications.close();
    });
  }

  it('takes an event whose type it did not know once it does', async () => {
    await start(notes(1), companion);
    await note(1);
    await odd('Odd', '{"n":2}');
    await note(3);
    await eventually(async () => expect((await stateOf())?.halted).to.equal(true));
    await projector?.stop();
    await db.query(`update eventlog.events set type = 'Noted' where type = 'Odd'`);
    // The program that knows the type is another process, whose log has read nothing yet.
    await log.close();
    log = await openLog();
    await start(notes(1), companion);
    for (const name of ['notes', 'notes_two'])
      await eventually(async () => expect((await stateOf(name))?.halted).to.equal(false));
    await eventually(async () => expect(await numbers()).to.deep.equal([1, 2, 3]));
  });

  it('reports an unreadable log and continues once the log is readable', async () => {
    await start(notes(1));
    await checkpoints.reached('one', await note(1), PATIENCE);
    readable = false;
    await note(3);
    const failure = await eventually(async () => {
      const [row] = await db.query<{ failure: Failure | null }>('select failure from durable.projections');
      expect(row?.failure).not.to.equal(null);
      return row?.failure;
    });
    expect(failure).to.deep.equal({
      projection: '',
      position: '1',
      event_id: '',
      event_type: '',
      error: 'The disk is odd',
    });
    expect(await still()).to.equal('Standing still: one');
    readable = true;
    expect(await checkpoints.reached('one', 2n, PATIENCE)).to.equal(true);
    expect(await still()).to.equal(undefined);
  });

  it('is reported as halted when no process runs it, but not while it catches up', async () => {
    await start(notes(1));
    await checkpoints.reached('one', await note(1), PATIENCE);
    expect(await still()).to.equal(undefined);
    await projector?.stop();
    // The event is a day old: what counts is that no process handles it, not how long it has waited.
    await note(2);
    expect(await still()).to.equal('Standing still: one');
    const moving = {
      groups: async () => {
        const groups = await checkpoints.groups();
        await db.query('update durable.projections set position = position + 1');
        return groups;
      },
    };
    await note(3);
    await note(4);
    await assertFollowing(moving, log);
  });

  it('builds a new version beside the old tables and then swaps them', async () => {
    await start(notes(1));
    await checkpoints.reached('one', await note(21), PATIENCE);
    await projector?.stop();
    await start(notes(2));
    await checkpoints.reached('one', await note(4), PATIENCE);
    expect(await db.query('select * from notes order by n')).to.deep.equal([
      { n: 4, double: 8 },
      { n: 21, double: 42 },
    ]);
    const schemas = await db.query(
      `select 1 from information_schema.schemata where schema_name like 'build%'`,
    );
    expect(schemas).to.deep.equal([]);
  });

  it('rebuilds while events arrive and misses none', async () => {
    await start(notes(1));
    for (let n = 0; n < 200; n += 1) await note(n);
    const writing = (async () => {
      let last = 0n;
      for (let n = 200; n < 400; n += 1) last = await note(n);
      return last;
    })();
    await rebuild({ projections: [notes(1)], log, db });
    await rebuild({ projections: [notes(1)], log, db });
    expect(await checkpoints.reached('one', await writing, PATIENCE)).to.equal(true);
    expect(await numbers()).to.have.length(400);
  });

  it('swaps tables although readers hold one old table and wait for another', async () => {
    const both: Projection = { ...notes(1), tables: { ...notes(1).tables, margins: 'n integer' } };
    await start(both);
    await checkpoints.reached('one', await note(1), PATIENCE);
    const readers = openDatabase({ url, max: 2, applicationName: 'readers', shortReads: true });
    // After this wait Postgres no longer looks for a deadlock on the side of the rebuild.
    const rebuildWaitsLong = async (): Promise<void> => {
      const waits = await readers.query(
        `select pg_sleep(extract(epoch from
           waitstart + current_setting('deadlock_timeout')::interval + interval '20 ms' - clock_timestamp()))
         from pg_locks where mode = 'AccessExclusiveLock' and not granted and waitstart is not null`,
      );
      expect(waits).to.have.length(1);
    };
    const rows = await readers.transaction(async (reading) => {
      await reading.query('select n from margins');
      const rebuilding = rebuild({ projections: [both], log, db });
      await eventually(rebuildWaitsLong);
      return { read: await reading.query('select n from notes'), rebuilding };
    });
    expect(rows.read).to.eql([{ n: 1 }]);
    await rows.rebuilding;
    await readers.close();
    expect(await verify({ projections: [both], log, db })).to.eql([]);
  });

  it('stops a rebuild on request, keeps the live tables and can rebuild later', async () => {
    await start(notes(1));
    for (let n = 1; n <= 30; n += 1) await note(n);
    await checkpoints.reached('one', await note(31), 5_000);
    const stopping = new AbortController();
    const { signal } = stopping;
    const broken = rebuild({ projections: [notes(1)], log, db, signal, onProgress: () => stopping.abort() });
    const reason: unknown = await broken.catch((error: unknown) => error);
    expect(reason).to.equal(signal.reason);
    expect(await numbers()).to.have.length(31);
    await rebuild({ projections: [notes(1)], log, db });
    expect(await numbers()).to.have.length(31);
    expect(await verify({ projections: [notes(1)], log, db })).to.eql([]);
  });

  it('produces correct tables when several rebuilds run at the same time', async () => {
    await start(notes(1));
    for (let n = 1; n <= 30; n += 1) await note(n);
    await checkpoints.reached('one', await note(31), PATIENCE);
    const other = openDatabase({ url, max: 6, applicationName: 'other', statementTimeout: 0, gather: true });
    await Promise.all([db, other, db].map((each) => rebuild({ projections: [notes(1)], log, db: each })));
    await other.close();
    expect(await numbers()).to.have.length(31);
    expect(await verify({ projections: [notes(1)], log, db })).to.eql([]);
  });

  it('keeps all projections of a group up to date while one of them is rebuilt', async () => {
    await start(notes(1), companion);
    const writing = (async () => {
      let last = 0n;
      for (let n = 0; n < 300; n += 1) last = await note(n);
      return last;
    })();
    for (let round = 0; round < 4; round += 1) {
      await rebuild({ projections: [round % 2 ? companion : notes(1)], log, db });
    }
    expect(await checkpoints.reached('one', await writing, PATIENCE)).to.equal(true);
    expect(await numbers()).to.have.length(300);
    expect(await numbers('notes_two')).to.have.length(300);
    expect(await verify({ projections: [notes(1), companion], log, db })).to.deep.equal([]);
  });

  it('detects a row that differs from the log', async () => {
    await start(notes(1));
    await checkpoints.reached('one', await note(1), PATIENCE);
    expect(await verify({ projections: [notes(1)], log, db })).to.deep.equal([]);
    await db.query('update notes set n = 7');
    const differences = await verify({ projections: [notes(1)], log, db });
    expect(differences.map(({ table }) => table)).to.deep.equal(['notes']);
  });
});
