import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { type AnyEvent, defineEvent, type EventMetadata } from '#kernel/event.ts';
import { MasterKey } from '#kernel/master-key.ts';
import { createCodec, damagedAmong, type DamagedEvent, isEncoded } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { PostgresSubjectKeys } from '#storage/postgres/subject-keys.ts';
import { freshDatabase } from '../support/database.ts';
import { failureOf } from '../support/failure.ts';

const metadata: EventMetadata = { time: '2026-11-21T08:00:00.000Z', command_id: 'c', correlation_id: 'r' };
const id = '00000000-0000-4000-8000-000000000001';

const Written = defineEvent({
  type: 'Written',
  version: 1,
  schema: z.object({ author: z.string(), text: z.string(), place: z.string() }),
  personal: { subject: ({ author }) => author, erased: { text: '' } },
  samples: { 1: { author: '1', text: 't', place: 'p' } },
});
const WrittenToday = defineEvent({
  type: 'Written',
  version: 3,
  schema: z.object({ author: z.string(), text: z.string(), where: z.string(), length: z.number() }),
  personal: { subject: ({ author }) => author, erased: { text: '' } },
  upcasts: {
    1: ({ place, ...rest }) => ({ ...rest, where: place ?? '' }),
    2: (data) => ({ ...data, length: (data['text'] as string).length }),
  },
  samples: { 3: { author: '1', text: 't', where: 'p', length: 1 } },
});

describe('The codec of events', () => {
  let db: Database;
  let keys: PostgresSubjectKeys;
  let url: string;
  const master = new MasterKey(randomBytes(32));
  const logs: EventLog[] = [];
  const damaged: DamagedEvent[] = [];
  const open = async (...catalogue: AnyEvent[]): Promise<EventLog> => {
    const codec = createCodec(catalogue, keys, { onDamaged: (events) => damaged.push(...events) });
    const log = createEventLog(await openPostgresEventStore(url), codec);
    logs.push(log);
    return log;
  };

  beforeEach(async () => {
    url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 2, applicationName: 'test' });
    keys = new PostgresSubjectKeys(db, master);
    damaged.length = 0;
  });
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await db.close();
  });

  const written = { author: '42', text: 'something private', place: 'here' };

  it('marks the metadata of every event as encoded by it, and of no other event', async () => {
    const codec = createCodec([Written], keys);
    const data = { author: '1', text: 't', place: 'p' };
    const { metadata: stored } = await codec.encode({ id, type: 'Written', data, metadata });
    const whole = { ...metadata, actor: { account_id: '1' }, remote: '"$v":1}', causation_id: id };
    const { metadata: longer } = await codec.encode({ id, type: 'Written', data, metadata: whole });
    // As the first version of this program stored it.
    const first = JSON.stringify({ ...metadata, $v: 1 });
    for (const each of [stored, longer, first]) expect(isEncoded(each), each).to.equal(true);
    const others = ['{}', '', '{"$v":1}', '{"$correlationId":"1"}', JSON.stringify(metadata), 'no JSON'];
    for (const each of others) expect(isEncoded(each), each).to.equal(false);
  });

  it('stores personal fields so that only the key of their subject decrypts them', async () => {
    const log = await open(Written);
    await log.append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
    const [row] = await db.query<{ data: string }>('select data from eventlog.events');
    expect(row?.data).to.contain('here').and.not.to.contain('private');
    expect((await log.readStream('s'))[0]?.data).to.deep.equal(written);
    const stranger = new PostgresSubjectKeys(db, new MasterKey(randomBytes(32)));
    expect(await stranger.load(['42']).catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('returns the erased form of fields that were stored before they were personal', async () => {
    const { personal: _, ...plain } = Written;
    await (await open(plain)).append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
    await keys.keyFor('42');
    expect((await (await open(Written)).readStream('s'))[0]?.data).to.deep.equal(written);
    await keys.destroy('42');
    expect((await (await open(Written)).readStream('s'))[0]?.data).to.deep.equal({ ...written, text: '' });
  });

  it('returns the erased form permanently once the key is destroyed', async () => {
    const log = await open(Written);
    await log.append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
    await keys.destroy('42');
    expect((await (await open(Written)).readStream('s'))[0]?.data).to.deep.equal({ ...written, text: '' });
    const again = keys.keyFor('42').catch((error: unknown) => error);
    expect(await again).to.be.instanceOf(Error);
  });

  it('gives a process its own events in the same form as every other process reads them', async () => {
    const definition = {
      ...Written,
      schema: z.object({
        author: z.string(),
        text: z.string(),
        place: z.string().optional(),
        nested: z.array(z.object({ a: z.string().optional(), b: z.string().nullable() })),
      }),
    };
    const mine = await open(definition);
    const data = {
      nested: [
        { a: undefined, b: null },
        { b: 'b', a: 'a' },
      ],
      place: undefined,
      text: 'ä\ud800',
      author: '7',
    };
    await mine.append('s', -1, [
      { id, type: 'Written', data, metadata: { ...metadata, rule: undefined } as never },
    ]);
    const [here, there] = [await mine.readAll(0n, 1), await (await open(definition)).readAll(0n, 1)];
    expect(here).to.deep.equal(there);
    expect(JSON.stringify(here[0]?.data)).to.equal(JSON.stringify(there[0]?.data));
    expect(Object.keys(here[0]?.data as object)).to.deep.equal(['author', 'nested', 'text']);
  });

  it('drops decrypted data in every process once the key is destroyed', async () => {
    const notifications = await openNotifications(url);
    await keys.listen(notifications);
    const log = await open(Written);
    await log.append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
    const text = async (): Promise<unknown> => ((await log.readAll(0n, 1))[0]?.data as { text: string }).text;
    expect(await text()).to.equal(written.text);
    await new PostgresSubjectKeys(db, master).destroy('42');
    while ((await text()) !== '') await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await log.readStream('s'))[0]?.data).to.deep.equal({ ...written, text: '' });
    await notifications.close();
  });

  it('upcasts older versions step by step to the current one', async () => {
    const old = await open(Written);
    await old.append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
    const today = await open(WrittenToday);
    const [event] = await today.readStream('s');
    expect(event?.data).to.deep.equal({ author: '42', text: written.text, where: 'here', length: 17 });
  });

  it('refuses data that does not fit the schema, and undeclared types', async () => {
    const log = await open(Written);
    const bad = { id, type: 'Written', data: { author: 1 }, metadata };
    expect(await log.append('s', -1, [bad]).catch((error: unknown) => error)).to.be.instanceOf(Error);
    const unknown = { ...bad, type: 'Unheard' };
    expect(await log.append('s', -1, [unknown]).catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await log.head()).to.equal(0n);
  });

  describe('meets damage', () => {
    const other = '00000000-0000-4000-8000-000000000002';
    /** Stores one event of the subject 42 and one of 43, changes the stored data of the first, and reads both as after a restart. */
    const readChanged = async (change: (data: string) => string): Promise<unknown[]> => {
      const log = await open(Written);
      await log.append('s', -1, [{ id, type: 'Written', data: written, metadata }]);
      await log.append('t', -1, [
        { id: other, type: 'Written', data: { ...written, author: '43' }, metadata },
      ]);
      const [row] = await db.query<{ data: string }>('select data from eventlog.events where position = 1');
      await db.query('update eventlog.events set data = $1 where position = 1', [change(row?.data ?? '')]);
      return read();
    };
    const read = async (): Promise<unknown[]> => {
      keys = new PostgresSubjectKeys(db, master);
      return (await (await open(Written)).readAll(0n, 10)).map(({ data }) => data);
    };
    const asErased = [
      { ...written, text: '' },
      { ...written, author: '43' },
    ];
    const inSecret = (change: (secret: string) => string) => (data: string) =>
      data.replace(/(?<="\$secret":")[^"]*/, change);

    const damages: [string, (data: string) => string, string | undefined][] = [
      [
        'a changed ciphertext',
        inSecret((text) => `${text.slice(0, 30)}${text[30] === 'A' ? 'B' : 'A'}${text.slice(31)}`),
        '42',
      ],
      ['a ciphertext that was cut off', inSecret((text) => text.slice(0, 40)), '42'],
      ['a ciphertext shorter than its tag', inSecret((text) => text.slice(0, 12)), '42'],
      ['an empty ciphertext', inSecret(() => ''), '42'],
      ['the name of another subject', (data) => data.replace('"$subject":"42"', '"$subject":"43"'), '43'],
      ['no ciphertext', (data) => data.replace(/"\$secret":"[^"]*",/, ''), '42'],
      ['no subject', (data) => data.replace(/,"\$subject":"42"/, ''), undefined],
    ];
    for (const [name, change, subject] of damages) {
      it(`reads the fields of an event with ${name} as erased, and tells so`, async () => {
        expect(await readChanged(change)).to.deep.equal(asErased);
        const expected = [{ position: 1n, id, type: 'Written', subject, cause: 'fields' }];
        expect(damaged).to.deep.equal(expected);
        const stored = await (await openPostgresEventStore(url)).readAll(0n, 10);
        expect(await damagedAmong(stored, keys)).to.deep.equal(expected);
      });
    }

    it('reads the fields of a subject whose stored key is damaged as erased, and encrypts nothing for them', async () => {
      await readChanged((data) => data);
      await db.query(`update durable.subject_keys set wrapped = reverse(wrapped) where subject = '42'`);
      expect(await read()).to.deep.equal(asErased);
      expect(damaged).to.deep.equal([{ position: 1n, id, type: 'Written', subject: '42', cause: 'key' }]);
      expect(await failureOf(keys.keyFor('42'))).to.equal('conflict');
    });

    it('reads the fields of a subject with the key of another subject as erased', async () => {
      await readChanged((data) => data);
      await db.query(
        `update durable.subject_keys set wrapped = (select wrapped from durable.subject_keys where subject = '43')
         where subject = '42'`,
      );
      expect(await read()).to.deep.equal(asErased);
      expect(damaged).to.deep.equal([{ position: 1n, id, type: 'Written', subject: '42', cause: 'fields' }]);
    });

    it('reads nothing with the master key of another server', async () => {
      await readChanged((data) => data);
      keys = new PostgresSubjectKeys(db, new MasterKey(randomBytes(32)));
      const reading = (await open(Written)).readAll(0n, 10);
      expect(await reading.catch((error: unknown) => (error as Error).message)).to.match(
        /another master key/,
      );
      expect(damaged).to.deep.equal([]);
    });

    it('tells nothing of a damaged event whose key is destroyed', async () => {
      await readChanged(inSecret(() => 'AAAA'));
      damaged.length = 0;
      await keys.destroy('42');
      expect(await read()).to.deep.equal(asErased);
      expect(damaged).to.deep.equal([]);
    });
  });
});
