import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectEmbedded } from '#storage/embedded/embedded.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import {
  differences,
  discard,
  freshSettings,
  launchRookery,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Enough events for many pages of the log. */
const EVENTS = 20_000;

/** A new version of the program needs other tables for a read model than those that exist. */
describe('An upgrade that changes a read model', function () {
  this.timeout(240_000);
  let settings: Settings;
  let rookery: RookeryProcess | undefined;
  let token: string;

  before(async () => {
    settings = await freshSettings({ LOG_LEVEL: 'info' });
    rookery = await startRookery(settings);
    ({ token } = await signUp(rookery.url, settings['DATA_DIR'] ?? '', 'alice'));
    await post('before');
    await rookery.end();
    // The start waits until all read models are at the head.
    const settled = await inTurn(['projections', 'verify', 'audit'], settings);
    expect(settled.code, settled.stderr).to.equal(0);
  });
  after(async () => {
    await rookery?.end();
    await discard(settings);
  });

  const post = async (status: string): Promise<void> => {
    const reply = await send(url(), 'POST', '/api/v1/statuses', { token, body: { status } });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
  };
  /** Returns the first reply of /health that satisfies a condition. A start takes some time. */
  const firstAnswer = async (isIt: (reply: Reply) => boolean): Promise<Reply> => {
    for (;;) {
      const reply = await healthOf(url()).catch(() => undefined);
      if (reply && isIt(reply)) return reply;
      await sleep(50);
    }
  };
  const url = (): string => `http://localhost:${settings['PORT']}`;
  const statements = async (...texts: string[]): Promise<void> => {
    const embedded = await connectEmbedded(settings['DATA_DIR'] ?? '', silent);
    const db = openDatabase({ url: embedded.url, max: 1, applicationName: 'spec', statementTimeout: 0 });
    for (const text of texts) await db.query(text);
    await db.close();
    await embedded.stop();
  };
  const holdTables = async (): Promise<{ release: () => Promise<void> }> => {
    const embedded = await connectEmbedded(settings['DATA_DIR'] ?? '', silent);
    const db = openDatabase({ url: embedded.url, max: 1, applicationName: 'spec' });
    const released = Promise.withResolvers<undefined>();
    const taken = Promise.withResolvers<undefined>();
    const holding = db.transaction(async (transaction) => {
      await transaction.query('set local idle_in_transaction_session_timeout = 0');
      await transaction.query('select 1 from durable.projections for update');
      taken.resolve(undefined);
      await released.promise;
    });
    await taken.promise;
    return {
      async release() {
        released.resolve(undefined);
        await holding;
        await db.close();
        await embedded.stop();
      },
    };
  };
  /** The state that an older version of the program leaves. */
  const OLDER = `update durable.projections set version = version - 1 where name = 'audit'`;

  it('builds the new tables first, replies 503 until then, and serves afterwards', async () => {
    await statements(
      `insert into eventlog.events (position, stream, revision, id, type, data, metadata)
       select head.at + n, 'audit-view-1-' || n, 0, gen_random_uuid(), 'AuditViewed',
         json_build_object('account_id', '1', 'filter', json_build_object('report', n::text), 'more', false),
         json_build_object('time', '2026-11-22T10:00:00.000Z', 'command_id', 'c' || n, 'correlation_id', 'r' || n,
           'rule', 'spec')
       from generate_series(1, ${EVENTS}) n, (select max(position) as at from eventlog.events) head`,
      'update durable.projections set position = (select max(position) from eventlog.events)',
      OLDER,
    );
    // This lock delays the swap of the tables, so that the state can be checked.
    const held = await holdTables();
    const starting = startRookery(settings);
    const building = await firstAnswer((reply) => reply.body.building?.percent === 100);
    expect(building.status).to.equal(503);
    const events = building.body.building.events as number;
    expect(events).to.be.greaterThan(EVENTS);
    expect(building.body).to.deep.equal({
      status: 'DOWN',
      failing: ['projections'],
      building: { percent: 100, events, of: events, estimated: false },
    });
    const refused = await send(url(), 'GET', '/api/v1/timelines/public');
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('5');
    expect(refused.body.error).to.match(/^This server is building its read models \(100 %\)/);
    expect(await send(url(), 'GET', '/livez')).to.include({ status: 200, body: 'OK' });
    const listed = await inTurn(['projections', 'list'], settings);
    expect(listed.stdout, listed.stderr).to.match(/^audit +\d+ +\d+ +being built: \d+ %$/m);
    await held.release();
    rookery = await starting;
    expect(rookery.output()).to.contain('building read models');
    expect((await healthOf(url())).status).to.equal(200);
    await post('after');
    await eventually(async () => {
      const { stdout } = await inTurn(['projections', 'list'], settings);
      expect(stdout).not.to.contain('being built');
      expect(stdout).to.match(/^audit +v\d+ +main +\d+ +0 +0 +ok$/m);
    });
  });

  it('stops on request, without delay', async () => {
    await rookery?.end();
    const embedded = await connectEmbedded(settings['DATA_DIR'] ?? '', silent);
    const db = openDatabase({ url: embedded.url, max: 2, applicationName: 'spec' });
    await db.query(OLDER);
    await db.transaction(async (transaction) => {
      await transaction.query('set local idle_in_transaction_session_timeout = 0');
      // Another process that builds holds the lock for minutes.
      await transaction.query(`select pg_advisory_xact_lock(${LOCKS.readModels})`);
      const starting = launchRookery(settings);
      const early = starting.ready.catch((error: Error) => error.message);
      await eventually(async () =>
        expect(
          await db.query(`select 1 from pg_stat_activity where application_name = 'rookery projections'`),
        ).not.to.deep.equal([]),
      );
      expect(await starting.end()).to.deep.equal({ code: 0, signal: null });
      expect(await early).to.match(/^Rookery ended before it ran \(0\)/);
    });
    await db.close();
    await embedded.stop();
    rookery = await startRookery(settings);
    expect(rookery.output()).to.contain('building read models');
  });

  it('does not disturb readers when another process runs it, and swaps the tables at once', async () => {
    await statements(OLDER);
    const read = async (): Promise<number> => (await send(url(), 'GET', '/api/v1/timelines/public')).status;
    const held = await holdTables();
    const starting = startRookery({ ...settings, ROLE: 'projector' });
    await eventually(async () => {
      const { stdout } = await inTurn(['projections', 'list'], settings);
      expect(stdout).to.match(/^audit .* being built: \d+ %$/m);
    });
    // The build cannot end before this lock is released, so a read that waited for it would time out.
    for (let n = 0; n < 20; n += 1) expect(await read()).to.equal(200);
    let building = true;
    const statuses = new Set<number>();
    const reading = (async () => {
      while (building) statuses.add(await read());
    })();
    await held.release();
    const projector = await starting;
    building = false;
    await reading;
    expect([...statuses]).to.deep.equal([200]);
    await post('and on');
    await projector.end();
    await post('alone again');
    await rookery?.end();
    rookery = undefined;
    expect(await differences(settings)).to.deep.equal([]);
  });
});
