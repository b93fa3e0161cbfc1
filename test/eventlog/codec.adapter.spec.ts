import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { createCodec } from '../../src/storage/eventlog/codec.ts';
import { createEventLog } from '../../src/storage/eventlog/event-log.ts';
import type { EventLog } from '../../src/storage/eventlog/port.ts';
import { openPostgresEventStore } from '../../src/storage/eventlog/postgres.ts';
import { defineEvent, type AnyEvent, type EventMetadata } from '../../src/kernel/event.ts';
import { MasterKey } from '../../src/kernel/master-key.ts';
import { openDatabase, type Database } from '../../src/storage/postgres/db.ts';
import { migrate } from '../../src/storage/postgres/migrations/index.ts';
import { openNotifications } from '../../src/storage/postgres/notifications.ts';
import { PostgresSubjectKeys } from '../../src/storage/postgres/subject-keys.ts';
import { freshDatabase } from '../support/database.ts';

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
  const open = async (...catalogue: AnyEvent[]): Promise<EventLog> => {
    const codec = createCodec(catalogue, keys);
    const log = createEventLog(await openPostgresEventStore(url), codec);
    logs.push(log);
    return log;
  };

  beforeEach(async () => {
    url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 2, applicationName: 'test' });
    keys = new PostgresSubjectKeys(db, master);
  });
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await db.close();
  });

  const written = { author: '42', text: 'something private', place: 'here' };

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
});
