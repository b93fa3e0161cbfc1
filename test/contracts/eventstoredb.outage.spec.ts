import { expect } from 'chai';
import { openEventStoreDb } from '../../src/storage/eventlog/eventstoredb.ts';
import { LogUnavailable, NO_STREAM } from '../../src/storage/eventlog/port.ts';
import type { EventStore, StoredEvent } from '../../src/storage/eventlog/port.ts';
import { eventually } from '../support/eventually.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';
import type { EventStoreDbDouble } from './support/eventstoredb-double.ts';
import {
  aStream,
  anEvent,
  expectOrdered,
  failure,
  followUntil,
  idsOf,
  readToHead,
  someEvents,
} from './support/events.ts';

describe('The event log on EventStoreDB, when the server goes away (a double of the server, over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;

  beforeEach(async () => {
    double = await startEventStoreDbDouble();
    store = await openEventStoreDb(double.url, { backOffMs: 5, maxBackOffMs: 50 });
  });

  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  /** With a deadline so short that a busy machine may miss it while opening. */
  const openBrief = (): Promise<EventStore> =>
    eventually(() => openEventStoreDb(double.url, { deadlineMs: 200 }));
  const bounce = async (): Promise<void> => {
    await double.kill();
    await double.restart();
  };

  it('goes on with a subscription that waited at the head', async () => {
    const stream = aStream();
    const controller = new AbortController();
    const feed = store.subscribeAll(0n, { batchSize: 10, signal: controller.signal });
    const iterator = feed[Symbol.asyncIterator]();
    const seen: StoredEvent[] = [];
    for (let revision = NO_STREAM; revision < 9; revision += 1) {
      await store.append(stream, revision, [anEvent()]);
      const { value } = (await iterator.next()) as IteratorYieldResult<StoredEvent[]>;
      seen.push(...value);
      await bounce();
    }
    controller.abort();
    expect(seen).to.deep.equal(await store.readStream(stream));
  });

  it('loses and repeats nothing when connections break in the midst of catching up', async () => {
    const events = someEvents(600);
    for (let from = 0; from < 600; from += 50)
      await store.append(aStream(), NO_STREAM, events.slice(from, from + 50));
    const controller = new AbortController();
    const seen: StoredEvent[] = [];
    for await (const batch of store.subscribeAll(0n, { batchSize: 40, signal: controller.signal })) {
      seen.push(...batch);
      await bounce();
      if (seen.length >= 600) controller.abort();
    }
    expectOrdered(seen);
    expect(idsOf(seen)).to.deep.equal(idsOf(events));
  });

  it('loses and repeats nothing while many write and connections break', async () => {
    const acknowledged = new Set<string>();
    const final = anEvent();
    const following = followUntil(store, 0n, (seen) => seen.at(-1)?.id === final.id, 20);
    let writing = true;
    const write = async (): Promise<void> => {
      const stream = aStream();
      let revision = NO_STREAM;
      for (let round = 0; round < 30; round += 1) {
        const events = someEvents(2);
        ({ revision } = await store.append(stream, revision, events));
        for (const id of idsOf(events)) acknowledged.add(id);
      }
    };
    const breaking = (async () => {
      while (writing) {
        await bounce();
        // Each connection lives long enough for some work.
        for (let n = 0; n < 5 && writing; n += 1) await store.readAll(0n, 20);
      }
    })();
    await Promise.all(Array.from({ length: 5 }, write));
    writing = false;
    await breaking;
    await store.append(aStream(), NO_STREAM, [final]);

    const followed = await following;
    expect(idsOf(followed)).to.deep.equal(idsOf(await readToHead(store, 0n)));
    expect(new Set(idsOf(followed))).to.deep.equal(new Set([...acknowledged, final.id]));
    expectOrdered(followed);
  });

  it('appends once, and knows where, when the answer was lost', async () => {
    const stream = aStream();
    const events = someEvents(2);
    double.loseNextAnswer();
    const appending = store.append(stream, NO_STREAM, events);
    await double.lost();
    await double.restart();
    const result = await appending;
    const stored = await store.readStream(stream);
    expect(idsOf(stored)).to.deep.equal(idsOf(events));
    expect(result).to.deep.equal({ revision: 1, position: stored[1]?.position });
  });

  it('ends a subscription that tries to reconnect when the signal aborts', async () => {
    const controller = new AbortController();
    const feed = store.subscribeAll(0n, { batchSize: 10, signal: controller.signal });
    const next = feed[Symbol.asyncIterator]().next();
    await double.kill();
    controller.abort();
    expect((await next).done).to.equal(true);
    await double.restart();
  });

  it('says that it is not available, within its deadline', async () => {
    await double.kill();
    const hasty = openEventStoreDb(double.url, { deadlineMs: 200 });
    expect(await failure(hasty)).to.be.instanceOf(LogUnavailable);
    await double.restart();
    const brief = await openBrief();
    await double.kill();
    await expectUnavailable(brief);
    await brief.close();
  });

  it('says so as well of a server that takes calls and stays silent', async () => {
    const brief = await openBrief();
    double.stall();
    await expectUnavailable(brief);
    await brief.close();
  });

  it('ends its subscriptions and refuses calls when it is closed', async () => {
    const feed = store.subscribeAll(0n, { batchSize: 10, signal: new AbortController().signal });
    const next = feed[Symbol.asyncIterator]().next();
    await store.close();
    expect((await next).done).to.equal(true);
    expect(await failure(store.head())).to.be.instanceOf(LogUnavailable);
  });

  it('holds the server back while a consumer is slow', async () => {
    const stream = aStream();
    const text = 'z'.repeat(50_000);
    for (let revision = NO_STREAM; revision < 399; revision += 20) {
      const events = Array.from({ length: 20 }, (_, n) => anEvent({ n, text }));
      await store.append(stream, revision, events);
    }
    const controller = new AbortController();
    const feed = store.subscribeAll(0n, { batchSize: 5, signal: controller.signal });
    let received = 0;
    for await (const batch of feed) {
      received += batch.length;
      // Reads on other calls give the server all the time it would need to send more.
      for (let n = 0; n < 3; n += 1) await store.readStream(stream, 0, 1);
      // Two buffers of 32 events on either side, and what the socket holds: far from the 400 that are there.
      expect(double.sentToSubscriptions() - received).to.be.below(200);
      if (received === 400) controller.abort();
    }
    expect(received).to.equal(400);
  });
});

async function expectUnavailable(store: EventStore): Promise<void> {
  const calls = [
    () => store.append(aStream(), NO_STREAM, [anEvent()]),
    () => store.readStream(aStream()),
    () => store.readAll(0n, 10),
    () => store.head(),
  ];
  for (const call of calls) expect(await failure(call())).to.be.instanceOf(LogUnavailable);
}
