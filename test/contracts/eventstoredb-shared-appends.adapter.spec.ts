import { expect } from 'chai';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EventStore } from '#storage/eventlog/port.ts';
import { LogUnavailable, NO_STREAM, RevisionConflict, StreamDeleted } from '#storage/eventlog/port.ts';
import { anEvent, aStream, failure, idsOf, someEvents } from './support/events.ts';
import type { EventStoreDbDouble } from './support/eventstoredb-double.ts';
import { type DoubleOptions, startEventStoreDbDouble } from './support/eventstoredb-double.ts';

describe('Appends to EventStoreDB over a shared call (test double over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;

  const open = async (options?: DoubleOptions, deadlineMs = 5_000): Promise<void> => {
    double = await startEventStoreDbDouble(options);
    store = await openEventStoreDb(double.url, { deadlineMs });
  };
  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  /** Appends to so many new streams at once. */
  const appendMany = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => store.append(aStream(), NO_STREAM, [anEvent()])));

  it('carries concurrent appends, and tells each its own position', async () => {
    await open();
    const streams = Array.from({ length: 40 }, aStream);
    const results = await Promise.all(
      streams.map((stream) => store.append(stream, NO_STREAM, someEvents(2))),
    );
    for (const [n, stream] of streams.entries()) {
      const last = (await store.readStream(stream))[1];
      expect(results[n]).to.deep.equal({ revision: 1, position: last?.position });
    }
    expect(double.appends()).to.deep.equal({ alone: 0, shared: 40 });
  });

  it('refuses an append at a wrong revision without failing those around it', async () => {
    await open();
    const stream = aStream();
    await store.append(stream, NO_STREAM, someEvents(3));
    const [before, wrong, early, after] = await Promise.all([
      store.append(aStream(), NO_STREAM, [anEvent()]),
      failure(store.append(stream, 0, [anEvent()])),
      failure(store.append(aStream(), 4, [anEvent()])),
      store.append(stream, 2, [anEvent()]),
    ]);
    expect(wrong).to.be.instanceOf(RevisionConflict).with.property('actual', 2);
    expect(early).to.be.instanceOf(RevisionConflict).with.property('actual', NO_STREAM);
    expect([before.revision, after.revision]).to.deep.equal([0, 3]);
    expect((await store.readStream(stream)).length).to.equal(4);
  });

  it('stores each append once when the call breaks before or after one of them', async () => {
    await open();
    for (const fate of ['breaks', 'stored, then breaks', 'ends', 'busy'] as const) {
      const [stream, other] = [aStream(), aStream()];
      const events = someEvents(2);
      double.decide(stream, fate);
      const [result] = await Promise.all([
        store.append(stream, NO_STREAM, events),
        store.append(other, NO_STREAM, [anEvent()]),
      ]);
      const stored = await store.readStream(stream);
      expect(idsOf(stored), fate).to.deep.equal(idsOf(events));
      expect(result, fate).to.deep.equal({ revision: 1, position: stored[1]?.position });
      expect((await store.readStream(other)).length, fate).to.equal(1);
    }
  });

  it('opens another call after one that broke or ended', async () => {
    await open();
    for (const fate of ['breaks', 'ends'] as const) {
      const stream = aStream();
      double.decide(stream, fate);
      await store.append(stream, NO_STREAM, [anEvent()]);
      const before = double.appends();
      await appendMany(3);
      expect(double.appends(), fate).to.deep.equal({ alone: before.alone, shared: before.shared + 3 });
    }
  });

  it('gives up an append without a reply at its deadline, while other appends succeed', async () => {
    await open({}, 1_000);
    const stream = aStream();
    double.decide(stream, 'silent');
    const unanswered = failure(store.append(stream, NO_STREAM, [anEvent()]));
    await appendMany(3);
    expect(await unanswered).to.be.instanceOf(LogUnavailable);
    expect(await store.readStream(stream)).to.deep.equal([]);
    await appendMany(3);
  });

  it('sends each append in a call of its own to a server without the shared call', async () => {
    await open({ knowsSharedAppends: false });
    await appendMany(5);
    const stream = aStream();
    const events = someEvents(3);
    const { position } = await store.append(stream, NO_STREAM, events);
    const stored = await store.readStream(stream);
    expect(stored.map(({ data }) => data)).to.deep.equal(events.map(({ data }) => data));
    expect(stored[2]?.position).to.equal(position);
    expect(await failure(store.append(stream, 0, [anEvent()])))
      .to.be.instanceOf(RevisionConflict)
      .with.property('actual', 2);
    expect(double.appends()).to.deep.equal({ alone: 7, shared: 0 });
  });

  it('sends a large append in a call of its own, so that others need not wait for it', async () => {
    await open();
    const large = anEvent({ text: 'z'.repeat(600_000) });
    await Promise.all([store.append(aStream(), NO_STREAM, [large]), appendMany(2)]);
    expect(double.appends()).to.deep.equal({ alone: 1, shared: 2 });
  });

  it('names a deleted stream and an append that is too large', async () => {
    await open();
    const stream = aStream();
    await store.append(stream, NO_STREAM, [anEvent()]);
    double.log.tombstone(stream);
    expect(await failure(store.append(stream, 0, [anEvent()]))).to.be.instanceOf(StreamDeleted);
    const tooLarge = anEvent({ text: 'z'.repeat(1_100_000) });
    expect(await failure(store.append(aStream(), NO_STREAM, [tooLarge])))
      .to.have.property('message')
      .that.matches(/Maximum Append Size/);
  });
});
