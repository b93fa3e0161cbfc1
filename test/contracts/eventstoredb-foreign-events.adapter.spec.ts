import { expect } from 'chai';
import { streamBack } from '#adapters/event-browser/pages.ts';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EventStore, ForeignEvent, StoredEvent } from '#storage/eventlog/port.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import { anEvent, aStream, conflict, followUntil, idsOf, someEvents } from './support/events.ts';
import { type EventStoreDbDouble, startEventStoreDbDouble } from './support/eventstoredb-double.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('Events of another program in streams with names of this program (test double over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;
  let reported: ForeignEvent[];

  const open = (): Promise<EventStore> =>
    openEventStoreDb(double.url, {
      streams: /^thing-/,
      isMarked: (metadata) => metadata.includes('command_id'),
      onForeign: (event) => reported.push(event),
      backOffMs: 5,
    });
  beforeEach(async () => {
    reported = [];
    double = await startEventStoreDbDouble();
    store = await open();
  });
  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  const foreign = (stream: string, metadata = '{"$correlationId":"1"}'): void => {
    const revision = (double.log.stream(stream)?.length ?? 0) - 1;
    const type = 'ThingOpened';
    const contentType = 'application/json';
    const id = crypto.randomUUID();
    double.log.append(stream, revision, [
      { id, type, contentType, data: bytes('{"foreign":1}'), metadata: bytes(metadata) },
    ]);
  };

  it('are left out by each way to read, and reported once for each stream', async () => {
    const [ours, theirs] = [aStream(), aStream()];
    foreign(ours);
    foreign(theirs, '');
    foreign(theirs);
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];
    const one = await store.append(ours, NO_STREAM, [first]);
    foreign(ours);
    const two = await store.append(ours, one.revision, [second, third]);
    foreign(ours);
    foreign(theirs);

    const events = await store.readStream(ours);
    expect(idsOf(events)).to.deep.equal(idsOf([first, second, third]));
    expect(events.map(({ revision }) => revision)).to.deep.equal([1, 3, 4]);
    expect(await store.readAll(0n, 10)).to.deep.equal(events);
    expect(await store.readBack(undefined, 10)).to.deep.equal(events.toReversed());
    expect(await store.readStreams([theirs, ours])).to.deep.equal(events);
    expect(await store.readStream(theirs)).to.deep.equal([]);
    expect(await store.head()).to.equal(two.position);
    const place = double.log.stream(theirs)?.[0]?.position ?? 0n;
    expect(await store.find(place)).to.equal(undefined);
    expect(await followUntil(store, 0n, (seen) => seen.length >= 3)).to.deep.equal(events);

    const named = reported.map(({ stream }) => stream);
    expect(named.toSorted()).to.deep.equal([ours, theirs].toSorted());
    expect((await store.foreignIn(theirs))?.type).to.equal('ThingOpened');
    expect((await store.foreignIn(ours))?.position).to.equal(double.log.stream(ours)?.[0]?.position);
    expect(await store.foreignIn(aStream())).to.equal(undefined);
  });

  it('do not count among the events that a reader of a stream asks for', async () => {
    const stream = aStream();
    let revision = NO_STREAM;
    for (let n = 0; n < 6; n += 1) {
      foreign(stream);
      foreign(stream);
      ({ revision } = await store.append(stream, revision, [anEvent()]));
    }
    const revisions = async (from: number, limit: number): Promise<number[]> =>
      (await store.readStream(stream, from, limit)).map((event) => event.revision);
    expect(await revisions(0, 2)).to.deep.equal([2, 5]);
    expect(await revisions(3, 3)).to.deep.equal([5, 8, 11]);
    expect(await revisions(15, 5)).to.deep.equal([17]);
  });

  it('are left out of the event browser, which shows each event of a stream once', async () => {
    const stream = aStream();
    let revision = NO_STREAM;
    for (let n = 0; n < 7; n += 1) {
      if (n % 2 === 0) foreign(stream);
      ({ revision } = await store.append(stream, revision, [anEvent()]));
    }
    foreign(stream);
    const own = await store.readStream(stream);
    for (const size of [1, 2, 3, 10]) {
      const seen: StoredEvent[] = [];
      for await (const page of streamBack(store, stream, undefined, size)) seen.push(...page);
      expect(idsOf(seen), `pages of ${size}`).to.deep.equal(idsOf(own.toReversed()));
    }
  });

  it('do not stop appends, which still meet the events of this program', async () => {
    const stream = aStream();
    foreign(stream);
    const first = await store.append(stream, NO_STREAM, [anEvent()]);
    expect(first.revision).to.equal(1);
    foreign(stream);
    foreign(stream);
    const events = someEvents(2);
    const second = await store.append(stream, first.revision, events);
    expect(second.revision).to.equal(5);
    foreign(stream);
    expect(await store.append(stream, first.revision, events)).to.deep.equal(second);
    for (const expected of [NO_STREAM, 0, first.revision, 4])
      await conflict(store.append(stream, expected, [anEvent()]));
    expect(await store.readStream(stream)).to.have.length(3);
  });

  it('let one of many writers append that expect the same revision', async () => {
    const stream = aStream();
    foreign(stream);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => store.append(stream, NO_STREAM, [anEvent()])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await store.readStream(stream)).to.have.length(1);
  });
});
