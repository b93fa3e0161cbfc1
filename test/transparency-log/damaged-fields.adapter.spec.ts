import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { MasterKey } from '#kernel/master-key.ts';
import { MOST_OF_SUBJECT } from '#kernel/services/damaged-events.ts';
import { TransparencyLog, type Verdict } from '#operations/transparency-log/index.ts';
import { createCodec, damagedAmong } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import type { EventLog, EventStore } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { DamagedEvents, type NotedDamage, replaceDamage } from '#storage/postgres/damaged-events.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { PostgresSubjectKeys } from '#storage/postgres/subject-keys.ts';
import { startedDatabase } from '../support/started-database.ts';

const Written = defineEvent({
  type: 'Written',
  version: 1,
  schema: z.object({ author: z.string(), text: z.string() }),
  personal: { subject: ({ author }) => author, erased: { text: '' } },
  samples: { 1: { author: '1', text: 't' } },
});

describe('A verification of the log', function () {
  this.timeout(60_000);
  const master = new MasterKey(randomBytes(32));
  const errors: string[] = [];
  let url: string;
  let db: Database;
  let store: EventStore;
  let appended: number;

  before(async () => {
    url = await startedDatabase();
    db = openDatabase({ url, max: 4, applicationName: 'test', shortReads: true });
    store = await openPostgresEventStore(url);
  });
  beforeEach(async () => {
    await db.query(
      `truncate eventlog.events, durable.subject_keys, durable.damaged_events, durable.log_subtrees,
         durable.log_checkpoints, durable.log_verifications, durable.log_divergences`,
    );
    appended = 0;
    errors.length = 0;
  });
  after(async () => {
    await store.close();
    await db.close();
  });

  const keys = (): PostgresSubjectKeys => new PostgresSubjectKeys(db, master);
  /** A process that starts now. */
  const logNow = async (): Promise<EventLog> => {
    const notes = new DamagedEvents(db, { error: (_fields, message) => errors.push(message) });
    const codec = createCodec([Written], keys(), { onDamaged: (events) => notes.note(events) });
    return createEventLog(await openPostgresEventStore(url), codec);
  };
  const history = (): TransparencyLog => {
    const subjectKeys = keys();
    return new TransparencyLog({
      db,
      store,
      origin: 'log.example',
      seed: Buffer.alloc(32, 7),
      damagedAmong: (events) => damagedAmong(events, subjectKeys),
      onDamage: (found, position) => replaceDamage(db, found, position),
    });
  };
  const write = async (...authors: string[]): Promise<void> => {
    const log = await logNow();
    for (const author of authors) {
      const id = `00000000-0000-4000-8000-${String((appended += 1)).padStart(12, '0')}`;
      const metadata = { time: '2026-11-30T00:00:00.000Z', command_id: 'c', correlation_id: 'r' };
      await log.append(`s-${appended}`, -1, [{ id, type: 'Written', data: { author, text: 'x' }, metadata }]);
    }
    await log.close();
  };
  const damage = (...positions: number[]): Promise<unknown> =>
    db.query(
      `update eventlog.events set data = overlay(data placing 'AAAA' from strpos(data, '$secret') + 30)
       where position = any($1)`,
      [positions],
    );
  const verify = (): Promise<Verdict> => history().verify([], undefined);
  const noted = async (accepted = true): Promise<[string, string, string][]> =>
    (await new DamagedEvents(db, { error: () => undefined }).list(100, { accepted })).events.map(
      ({ position, subject, cause }: NotedDamage) => [position, subject, cause],
    );
  const read = async (): Promise<void> => {
    const log = await logNow();
    await log.readAll(0n, 1_000);
    await log.close();
  };

  it('warns of one damaged event of a user whose other events can be read', async () => {
    await write('42', '42', '42', '43');
    await damage(2);
    await history().record();
    expect(await verify()).to.deep.include({
      problem: undefined,
      warnings: [
        'The personal fields of the event at position 2 (Written) cannot be decrypted: they are read as erased',
      ],
    });
    expect(await noted()).to.deep.equal([['2', '42', 'fields']]);
  });

  it('names a damaged event beside the checkpoint that it contradicts, until the operator accepts that', async () => {
    await write('42', '42', '43');
    await history().record();
    await damage(2);
    expect((await verify()).problem).to.match(
      /^The events at positions 1 to 3 are not those of .*; The personal fields of the event at position 2 /,
    );
    const asked = {
      id: '5d6f0a1c-27f4-4a58-8f6e-0b7c1f2d3e4a',
      checkpoint: 3,
      reason: 'Disk',
      time: new Date().toISOString(),
    };
    await history().acceptDivergence(asked, await history().contradictionOf(asked));
    const { problem, warnings, notes } = await verify();
    expect([problem, warnings]).to.deep.equal([undefined, []]);
    expect(notes).to.have.length(1);
    expect([await noted(), await noted(false)]).to.deep.equal([[['2', '42', 'fields']], []]);
  });

  it('blames the key of a user when none of the earlier events can be read', async () => {
    await write('42', '43', '42', '42');
    await history().record();
    await db.query(
      `update durable.subject_keys set wrapped = (select wrapped from durable.subject_keys where subject = '43')
       where subject = '42'`,
    );
    const changed =
      'The key of 42 was changed: the personal fields of 3 events cannot be decrypted, from position 1 on';
    expect((await verify()).problem).to.equal(changed);
    // A process that starts now encrypts with the other key.
    await write('42');
    await history().record();
    expect((await verify()).problem).to.equal(changed);
    expect(await noted()).to.deep.equal(['1', '3', '4'].map((position) => [position, '42', 'key']));
  });

  it('names a stored key that is damaged', async () => {
    await write('42', '43');
    await history().record();
    await db.query(`update durable.subject_keys set wrapped = reverse(wrapped) where subject = '42'`);
    expect((await verify()).problem).to.equal(
      'The key of 42 is damaged: the personal fields of 1 event cannot be decrypted, from position 1 on',
    );
  });

  it('names the subject of a missing key wherever the event has it', async () => {
    await write('42', '43');
    await db.query(`delete from durable.subject_keys where subject = '42'`);
    await db.query(
      `update eventlog.events set data = '{"$subject":"42","author":"42","more":"x"}' where position = 1`,
    );
    await history().record();
    expect((await verify()).problem).to.match(
      /^The key of 42 is missing, but the log has no erasure: personal fields cannot be read from position 1 on;/,
    );
  });

  it('replaces what readers have noted, some events of each user', async () => {
    const many = Array.from({ length: MOST_OF_SUBJECT + 5 }, () => '42');
    await write('43', ...many);
    await damage(1, ...many.map((_, index) => index + 2));
    await read();
    await read();
    expect(await noted()).to.have.length(MOST_OF_SUBJECT + 1);
    expect(errors).to.deep.equal(['events damaged: personal fields cannot be decrypted']);
    await db.query('update durable.damaged_events set reported_at = now()');
    await history().record();
    await verify();
    const causes = (await noted()).map(([position, , cause]) => `${position} ${cause}`);
    expect(causes).to.have.length(MOST_OF_SUBJECT + 1);
    expect(causes.slice(0, 2)).to.deep.equal(['1 fields', '2 key']);
    const [reported] = await db.query<{ position: string }>(
      'select position from durable.damaged_events where reported_at is not null',
    );
    expect(reported?.position).to.equal('1');
  });

  it('forgets damage that is repaired, and that of erased users', async () => {
    await write('42', '43', '43');
    const [row] = await db.query<{ data: string }>('select data from eventlog.events where position = 1');
    await damage(1, 2);
    await read();
    expect((await noted()).map(([position]) => position)).to.deep.equal(['1', '2']);
    await keys().destroy('43');
    expect((await noted()).map(([position]) => position)).to.deep.equal(['1']);
    await db.query('update eventlog.events set data = $1 where position = 1', [row?.data]);
    await history().record();
    await verify();
    expect(await noted()).to.deep.equal([]);
  });
});
