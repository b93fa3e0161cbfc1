import { expect } from 'chai';
import type { Notifications } from '#kernel/listening.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import {
  askProjectorsToRetry,
  PROJECTIONS_CHANNEL,
  type Projector,
  startProjector,
} from '#storage/postgres/projector/projector.ts';
import { storeSkip } from '#storage/postgres/projector/skips.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { appendNote, notes, openLogOfNotes } from './notes.ts';

describe('A retry of a halted read model', () => {
  let db: Database;
  let log: EventLog;
  let notifications: Notifications & { close(): Promise<void> };
  let checkpoints: Checkpoints;
  let projector: Projector;
  let onSkipsRead: (() => Promise<void>) | undefined;

  before(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 6, applicationName: 'test', statementTimeout: 0, gather: true });
    log = await openLogOfNotes(url, () => true);
    notifications = await openNotifications(url);
    checkpoints = new Checkpoints(db);
    projector = await startProjector({
      projections: [notes(1, 'one', 2), { ...notes(1, 'two'), group: 'one' }],
      log,
      db: watched(),
      checkpoints,
      notifications,
      onFailure: () => undefined,
      onError: () => undefined,
      program: '1',
    });
  });
  after(async () => {
    await projector.stop();
    checkpoints.close();
    await notifications.close();
    await log.close();
    await db.close();
  });

  /** The database of the runner: `onSkipsRead` runs once, after a reading of the events to leave out. */
  const watched = (): Database => ({
    ...db,
    query: async (asked, values) => {
      const rows = await db.query(asked, values);
      if (typeof asked === 'string' || asked.name !== 'projection_skips_all') return rows;
      const then = onSkipsRead;
      onSkipsRead = undefined;
      await then?.();
      return rows;
    },
  });
  const note = (n: number): Promise<bigint> => appendNote(log, n);
  const isHalted = async (): Promise<boolean | undefined> => {
    const [row] = await db.query<{ halted: boolean }>(
      `select halted from durable.projections where name = 'notes'`,
    );
    return row?.halted;
  };

  it('is not lost when it is asked for while an earlier one reads what to leave out', async () => {
    const position = await note(2);
    await checkpoints.reached('one', position, PATIENCE);
    await eventually(async () => expect(await isHalted()).to.equal(true));
    const asked = Promise.withResolvers<unknown>();
    onSkipsRead = async () => {
      await notifications.subscribe({
        channel: PROJECTIONS_CHANNEL,
        onNotification: asked.resolve,
        onConnected: () => undefined,
      });
      const event = { position: String(position), event_id: deriveId('2'), event_type: 'Noted' };
      await storeSkip(db, { name: 'notes', ...event, reason: 'a spec' });
      await askProjectorsToRetry(db);
      await asked.promise;
    };
    await askProjectorsToRetry(db);
    await asked.promise;
    await eventually(async () => expect(await isHalted()).to.equal(false));
  });
});
