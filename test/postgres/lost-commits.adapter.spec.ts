import { expect } from 'chai';
import type { Notifications } from '#kernel/listening.ts';
import type { Projection } from '#kernel/projection.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';
import {
  askProjectorsToRetry,
  type Projector,
  startProjector,
} from '#storage/postgres/projector/projector.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { type CrashingPostgres, startCrashingPostgres } from './crashing-postgres.ts';
import { appendNote, notes, openLogOfNotes } from './notes.ts';

describe('Read models whose last commits PostgreSQL loses in a crash', function () {
  this.timeout(3 * PATIENCE);
  let postgres: CrashingPostgres;
  let db: Database;
  let log: EventLog;
  let notifications: Notifications;
  let checkpoints: Checkpoints;
  let projector: Projector;
  const failures: Failure[] = [];

  beforeEach(async () => {
    postgres = await startCrashingPostgres();
    const { url } = postgres;
    await migrate(url);
    db = openDatabase({
      url,
      max: 6,
      applicationName: 'test',
      statementTimeout: 0,
      gather: true,
      synchronousCommit: false,
    });
    log = await openLogOfNotes(url);
    notifications = await openNotifications(url);
    checkpoints = new Checkpoints(db);
    failures.length = 0;
  });
  afterEach(async () => {
    await projector.stop();
    checkpoints.close();
    await notifications.close();
    await log.close();
    await db.close();
    await postgres.stop();
  });

  it('are complete again without another event', async () => {
    await start(notes(1));
    await reach(1);
    await postgres.loseCommitsOf(async () => {
      await reach(2);
    });
    await eventually(async () => expect(await numbers()).to.deep.equal([1, 2]));
    expect(failures).to.deep.equal([]);
  });

  it('are complete again when the commit that ended their halt is lost', async () => {
    const [rejecting, accepting] = [notes(1, 'one', 2), notes(1)];
    let current = rejecting;
    await start({
      ...accepting,
      handlers: accepting.handlers.map(({ type, handler }, index) => ({
        type,
        handler: { ...handler, apply: async (...args) => current.handlers[index]?.handler.apply(...args) },
      })),
    });
    await note(1);
    await note(2);
    await eventually(async () => expect(await halted()).to.deep.equal(['notes']));
    current = accepting;
    await postgres.loseCommitsOf(async () => {
      await askProjectorsToRetry(db);
      await eventually(async () => expect(await halted()).to.deep.equal([]));
    });
    await eventually(async () => expect(await numbers()).to.deep.equal([1, 2]));
    // It joins its group after it has caught up.
    await eventually(async () => expect(await halted()).to.deep.equal([]));
  });

  it('are known to be behind in a process that does not run them', async () => {
    await start(notes(1));
    const elsewhere = new Checkpoints(db);
    await elsewhere.listen(notifications);
    const first = await reach(1);
    const lost: bigint[] = [];
    elsewhere.onFallBack((_group, position) => lost.push(position));
    let second = 0n;
    await postgres.loseCommitsOf(async () => {
      second = await reach(2);
      expect(await elsewhere.reached('one', second, PATIENCE)).to.equal(true);
      await projector.stop();
    });
    await eventually(() => expect(elsewhere.position('one')).to.equal(first));
    expect(lost).to.deep.equal([second]);
    elsewhere.close();
  });

  const start = async (projection: Projection): Promise<void> => {
    projector = await startProjector({
      projections: [projection],
      log,
      db,
      checkpoints,
      notifications,
      program: '1',
      onFailure: (failure) => failures.push(failure),
      onError: () => undefined,
    });
  };

  const note = (n: number): Promise<bigint> => appendNote(log, n);

  const reach = async (n: number): Promise<bigint> => {
    const position = await note(n);
    expect(await checkpoints.reached('one', position, PATIENCE)).to.equal(true);
    return position;
  };

  const halted = async (): Promise<string[] | undefined> => (await checkpoints.groups())[0]?.halted;

  const numbers = async (): Promise<number[]> =>
    (await db.query<{ n: number }>('select n from notes order by n')).map(({ n }) => n);
});
