import { expect } from 'chai';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { LogUnavailable, NO_STREAM } from '#storage/eventlog/port.ts';
import { eventually } from '../support/eventually.ts';
import {
  anEvent,
  aStream,
  expectOrdered,
  failure,
  followUntil,
  idsOf,
  readToHead,
  someEvents,
} from './support/events.ts';
import type { EventStoreDbDouble } from './support/eventstoredb-double.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';

describe('The event log on EventStoreDB during an outage (test double over gRPC)', () => {
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

  /** On a slow machine, opening the store can take longer than this short deadline, so it is repeated. */
  const openBrief = (): Promise<EventStore> =>
    eventually(() => openEventStoreDb(double.url, { deadlineMs: 200 }));
  const bounce = async (): Promise<void> => {
    await double.kill();
    await double.restart();
  };

  it('continues a subscription that waits at the head after each restart of the server', async () => {
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

  it('delivers every event once when connections break while a subscriber catches up', async () => {
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

  it('delivers every event once when connections break while many writers append', async () => {
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
        // Each connection stays open for a few reads.
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

  it('stores an append once and returns its position when the first answer is lost', async () => {
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

  it('ends a subscription that is reconnecting when its signal aborts', async () => {
    const controller = new AbortController();
    const feed = store.subscribeAll(0n, { batchSize: 10, signal: controller.signal });
    const next = feed[Symbol.asyncIterator]().next();
    await double.kill();
    controller.abort();
    expect((await next).done).to.equal(true);
    await double.restart();
  });

  for (const [who, open] of [
    ['this process', () => Promise.resolve(store)],
    ['another process', () => openEventStoreDb(double.url)],
  ] as const) {
    it(`renews a subscription that hears nothing while ${who} appends`, async () => {
      const writer = await open();
      const stream = aStream();
      const [first, second] = [anEvent(), anEvent()];
      let silenced = false;
      const following = followUntil(store, 0n, (seen) => {
        if (!silenced) double.silenceSubscriptions();
        silenced = true;
        return seen.length === 2;
      });
      await writer.append(stream, NO_STREAM, [first]);
      await eventually(() => expect(silenced).to.equal(true));
      await writer.append(stream, 0, [second]);
      expect(idsOf(await following)).to.deep.equal(idsOf([first, second]));
      if (writer !== store) await writer.close();
    });
  }

  it('reports that it is unavailable when its deadline has passed', async () => {
    await double.kill();
    const hasty = openEventStoreDb(double.url, { deadlineMs: 200 });
    expect(await failure(hasty)).to.be.instanceOf(LogUnavailable);
    await double.restart();
    const brief = await openBrief();
    await double.kill();
    await expectUnavailable(brief);
    await brief.close();
  });

  it('reports that it is unavailable when the server accepts calls but does not answer', async () => {
    const brief = await openBrief();
    double.stall();
    await expectUnavailable(brief);
    await brief.close();
  });

  it('ends its subscriptions and refuses calls after it was closed', async () => {
    const feed = store.subscribeAll(0n, { batchSize: 10, signal: new AbortController().signal });
    const next = feed[Symbol.asyncIterator]().next();
    await store.close();
    expect((await next).done).to.equal(true);
    expect(await failure(store.head())).to.be.instanceOf(LogUnavailable);
  });

  it('limits the number of events that the server sends ahead of a slow subscriber', async () => {
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
      // These reads take time, in which the server could send more events.
      for (let n = 0; n < 3; n += 1) await store.readStream(stream, 0, 1);
      // Each side has a buffer of 32 events, and the socket holds some more. That is much less than 400.
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
