import { expect } from 'chai';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { NO_STREAM, NoSuchPosition, StreamDeleted } from '#storage/eventlog/port.ts';
import { anEvent, aStream, failure, followUntil, idsOf, someEvents } from './support/events.ts';
import type { EventStoreDbDouble } from './support/eventstoredb-double.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';
import type { ProposedRecord } from './support/eventstoredb-double-log.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An event that another program has written. */
const foreignEvent = (): ProposedRecord => ({
  id: crypto.randomUUID(),
  type: 'OrderPlaced',
  contentType: 'application/json',
  data: bytes('{"order":1}'),
  metadata: bytes(''),
});

describe('The event log on an EventStoreDB that other programs use too (test double over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;

  beforeEach(async () => {
    double = await startEventStoreDbDouble();
    store = await openEventStoreDb(double.url, { streams: /^thing-/, backOffMs: 5 });
  });
  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  const foreign = (count: number, stream = 'order-1'): void => {
    for (let n = 0; n < count; n += 1) {
      const revision = (double.log.stream(stream)?.length ?? 0) - 1;
      double.log.append(stream, revision, [foreignEvent()]);
    }
  };
  /**
   * Writes events of Rookery and of another program alternately. The first and the last event are foreign.
   */
  const mixed = async (): Promise<StoredEvent[]> => {
    const stream = aStream();
    for (const [index, event] of someEvents(20).entries()) {
      foreign(index % 4);
      await store.append(stream, index - 1, [event]);
    }
    foreign(30);
    return store.readStream(stream);
  };

  it('returns only its own events to readers and subscribers', async () => {
    const own = await mixed();
    expect(own).to.have.length(20);
    expect(await store.readAll(0n, 100)).to.deep.equal(own);
    expect(await store.readAll(own[4]!.position, 3)).to.deep.equal(own.slice(5, 8));
    const seen = await followUntil(store, 0n, (events) => events.length >= 20);
    expect(seen).to.deep.equal(own);
  });

  it('makes the server filter out foreign events for readers', async () => {
    const [first, second] = someEvents(2);
    await store.append(aStream(), NO_STREAM, [first!]);
    foreign(500);
    await store.append(aStream(), NO_STREAM, [second!]);
    const before = double.read();
    expect(idsOf(await store.readAll(0n, 100))).to.deep.equal(idsOf([first!, second!]));
    // The head needs up to 8 records.
    expect(double.read() - before).to.be.at.most(2 + 8);
  });

  it('makes the server filter out foreign events for subscribers', async () => {
    const before = double.sentToSubscriptions();
    await mixed();
    await followUntil(store, 0n, (events) => events.length >= 20);
    expect(double.sentToSubscriptions() - before).to.equal(20);
  });

  it('has its head at its own newest event, even when foreign events follow', async () => {
    const own = await mixed();
    expect(await store.head()).to.equal(own.at(-1)?.position);
    expect(await store.readAll(own.at(-1)!.position, 10)).to.deep.equal([]);
  });

  it('has the head 0 while it contains only foreign events', async () => {
    foreign(50);
    expect(await store.head()).to.equal(0n);
    expect(await store.readAll(0n, 10)).to.deep.equal([]);
  });

  it('does not read the foreign events at the end again for each request of the head', async () => {
    const { position } = await store.append(aStream(), NO_STREAM, [anEvent()]);
    foreign(300);
    expect(await store.head()).to.equal(position);
    const before = double.read();
    for (let n = 0; n < 5; n += 1) expect(await store.head()).to.equal(position);
    expect(double.read() - before).to.be.at.most(5 * 8);
  });

  it('keeps its head when a scavenge removes the foreign events after it', async () => {
    const { position } = await store.append(aStream(), NO_STREAM, [anEvent()]);
    foreign(20);
    expect(await store.head()).to.equal(position);
    double.log.scavenge('order-1');
    expect(await store.head()).to.equal(position);
    const next = await store.append(aStream(), NO_STREAM, [anEvent()]);
    expect(await store.head()).to.equal(next.position);
    expect(idsOf(await store.readAll(position, 10))).to.have.length(1);
  });

  it('finds its head when a restored backup has made the log shorter', async () => {
    const stream = aStream();
    const first = await store.append(stream, NO_STREAM, [anEvent()]);
    await store.append(aStream(), NO_STREAM, someEvents(5));
    await store.head();
    double.log.truncateAfter(first.position);
    expect(await store.head()).to.equal(first.position);
  });

  it('refuses to append to a stream whose events it would not read', async () => {
    const error = await failure(store.append('order-2', NO_STREAM, [anEvent()]));
    expect(error).to.be.instanceOf(RangeError);
    expect((error as Error).message).to.include('order-2');
  });

  it('names the stream in the error when one of its streams was deleted', async () => {
    const stream = aStream();
    await store.append(stream, NO_STREAM, [anEvent()]);
    double.log.tombstone(stream);
    for (const call of [() => store.readStream(stream), () => store.append(stream, 0, [anEvent()])]) {
      const error = await failure(call());
      expect(error).to.be.instanceOf(StreamDeleted);
      expect((error as Error).message).to.include(stream);
    }
  });
});

describe('The event log on an EventStoreDB before version 24.2 (test double over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;

  beforeEach(async () => {
    double = await startEventStoreDbDouble({ oldWording: true });
    store = await openEventStoreDb(double.url, { backOffMs: 5 });
  });
  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  it('fails at once for readers and subscribers at a position that no event has', async () => {
    const stream = aStream();
    for (let revision = NO_STREAM; revision < 3; revision += 1)
      await store.append(stream, revision, [anEvent()]);
    const [first] = await store.readStream(stream);
    const between = first!.position + 1n;
    expect(await failure(store.readAll(between, 10))).to.be.instanceOf(NoSuchPosition);
    expect(await failure(followUntil(store, between, () => true))).to.be.instanceOf(NoSuchPosition);
  });
});
