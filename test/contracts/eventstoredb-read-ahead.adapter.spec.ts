import { expect } from 'chai';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import { type EventStore, LogUnavailable, NO_STREAM } from '#storage/eventlog/port.ts';
import { anEvent, aStream, failure, idsOf, readToHead, someEvents } from './support/events.ts';
import { type EventStoreDbDouble, startEventStoreDbDouble } from './support/eventstoredb-double.ts';

describe('Pages of a log in EventStoreDB, one after the other (test double over gRPC)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;

  beforeEach(async () => {
    double = await startEventStoreDbDouble();
    store = await openEventStoreDb(double.url);
  });
  afterEach(async () => {
    await store.close();
    await double.kill();
  });

  it('come from one read that goes on between them', async () => {
    for (let n = 0; n < 20; n += 1) await store.append(aStream(), NO_STREAM, someEvents(20));
    const before = double.reads();
    expect(await readToHead(store, 0n, 10)).to.have.length(400);
    // For the first page, for the pages after it and at the end: the head, and the events themselves.
    expect(double.reads() - before).to.be.at.most(6);
  });

  it('contain events that were appended after the read began', async () => {
    const events = someEvents(6);
    await store.append(aStream(), NO_STREAM, events);
    const [, second] = await store.readAll(0n, 2);
    const [, fourth] = await store.readAll(second!.position, 2);
    const later = someEvents(3);
    await store.append(aStream(), NO_STREAM, later);
    const rest = await store.readAll(fourth!.position, 4);
    expect(idsOf(rest)).to.deep.equal(idsOf([...events.slice(4), ...later.slice(0, 2)]));
    expect(idsOf(await store.readAll(rest.at(-1)!.position, 4))).to.deep.equal(idsOf(later.slice(2)));
    const last = (await store.readAll(0n, 10)).at(-1)!.position;
    expect(await store.readAll(last, 4)).to.deep.equal([]);
    const final = anEvent();
    await store.append(aStream(), NO_STREAM, [final]);
    expect(idsOf(await store.readAll(last, 4))).to.deep.equal([final.id]);
  });

  it('are the same for several readers at the same place', async () => {
    for (let n = 0; n < 10; n += 1) await store.append(aStream(), NO_STREAM, someEvents(10));
    const all = await store.readAll(0n, 1_000);
    const readers = Array.from({ length: 6 }, (_, n) => readToHead(store, 0n, n < 3 ? 7 : 9));
    for (const seen of await Promise.all(readers)) expect(seen).to.deep.equal(all);
  });

  it('continue after the server was away', async () => {
    for (let n = 0; n < 10; n += 1) await store.append(aStream(), NO_STREAM, someEvents(10));
    const all = await store.readAll(0n, 1_000);
    const seen = [];
    for (let page = await store.readAll(0n, 7); page.length > 0;) {
      seen.push(...page);
      await double.kill();
      await double.restart();
      page = await store.readAll(page.at(-1)!.position, 7);
    }
    expect(seen).to.deep.equal(all);
  });

  it('limit the events that the server sends ahead of a slow reader', async () => {
    const stream = aStream();
    const text = 'z'.repeat(50_000);
    for (let revision = NO_STREAM; revision < 399; revision += 20)
      await store.append(
        stream,
        revision,
        someEvents(20).map(({ id }) => ({ ...anEvent({ text }), id })),
      );
    const [first] = await store.readAll(0n, 1);
    const before = double.read();
    await store.readAll(first!.position, 1);
    // The server could send more during these reads.
    for (let n = 0; n < 100; n += 1) await store.readStream(stream, 0, 1);
    // Up to 8 million characters wait here, some 160 events, and some more in the socket.
    expect(double.read() - before - 100).to.be.below(300);
  });

  it('may follow long after each other in the log, while the server answers', async () => {
    await store.append(aStream(), NO_STREAM, someEvents(3));
    const brief = await openEventStoreDb(double.url, { deadlineMs: 400 });
    double.slowFilter(1_500);
    expect(await brief.readAll(0n, 10)).to.have.length(3);
    await brief.close();
  });

  it('are unavailable when the server falls silent', async () => {
    await store.append(aStream(), NO_STREAM, someEvents(3));
    const brief = await openEventStoreDb(double.url, { deadlineMs: 400 });
    double.slowFilter(1_000_000);
    const before = double.reads();
    const reading = failure(brief.readAll(0n, 10));
    // The read has begun when the head is known.
    while (double.reads() < before + 2) await store.readStream(aStream());
    double.stall();
    expect(await reading).to.be.instanceOf(LogUnavailable);
    await brief.close();
  });
});
