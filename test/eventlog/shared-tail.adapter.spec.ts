import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent, type RecordedEvent } from '#kernel/event.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EncodedEvent, EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { NO_STREAM, NoSuchPosition } from '#storage/eventlog/port.ts';
import { SharedTail } from '#storage/eventlog/shared-tail.ts';
import { anEvent, aStream, failure, idsOf, readToHead, someEvents } from '../contracts/support/events.ts';
import type { EventStoreDbDouble } from '../contracts/support/eventstoredb-double.ts';
import { startEventStoreDbDouble } from '../contracts/support/eventstoredb-double.ts';
import { eventually } from '../support/eventually.ts';

const FOLLOWERS = 5;

describe('The shared tail of the log (on a double of EventStoreDB)', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;
  let tail: SharedTail;
  let end: AbortController;

  beforeEach(async () => {
    double = await startEventStoreDbDouble();
    store = await openEventStoreDb(double.url, { backOffMs: 5, maxBackOffMs: 50 });
    tail = new SharedTail(store);
    end = new AbortController();
  });
  afterEach(async () => {
    end.abort();
    await store.close();
    await double.kill();
  });

  const append = async (events: EncodedEvent[]): Promise<void> => {
    for (let from = 0; from < events.length; from += 500)
      await store.append(aStream(), NO_STREAM, events.slice(from, from + 500));
  };
  const follow = (after: bigint, batchSize = 100): AsyncIterator<StoredEvent[], void> =>
    tail.subscribeAll(after, { batchSize, signal: end.signal })[Symbol.asyncIterator]();
  /** Reads at least so many events. */
  const take = async (feed: AsyncIterator<StoredEvent[], void>, count: number): Promise<StoredEvent[]> => {
    const seen: StoredEvent[] = [];
    while (seen.length < count) {
      const next = await feed.next();
      if (next.done) break;
      seen.push(...next.value);
    }
    return seen;
  };
  /** Starts followers at the head, and returns them when their subscription is open. */
  const followersAtHead = async (
    count = FOLLOWERS,
    subscriptions = 1,
  ): Promise<AsyncIterator<StoredEvent[], void>[]> => {
    const head = await store.head();
    const feeds = Array.from({ length: count }, () => follow(head));
    const first = feeds.map((feed) => take(feed, 1));
    await eventually(() => expect(double.subscriptions()).to.equal(subscriptions));
    await append(someEvents(1));
    await Promise.all(first);
    return feeds;
  };

  it('receives each event once for all followers, who get the same objects', async () => {
    await append(someEvents(20));
    const feeds = await followersAtHead();
    const sent = double.sentToSubscriptions();
    const events = someEvents(300);
    await append(events);
    const [first = [], ...others] = await Promise.all(feeds.map((feed) => take(feed, 300)));
    expect(idsOf(first)).to.deep.equal(idsOf(events));
    for (const seen of others) {
      expect(seen).to.have.length(300);
      expect(seen.every((event, index) => event === first[index])).to.equal(true);
    }
    expect(double.sentToSubscriptions() - sent).to.equal(300);
  });

  it('serves all followers of the log of the application', async () => {
    const version = 1;
    const Noted = defineEvent({ type: 'Noted', version, schema: z.object({}), samples: { 1: {} } });
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    const log = createEventLog(store, createCodec([Noted], none));
    const head = await store.head();
    const signal = end.signal;
    const feeds = Array.from({ length: FOLLOWERS }, () =>
      log.subscribeAll(head, { batchSize: 10, signal })[Symbol.asyncIterator](),
    );
    const first = feeds.map((feed) => feed.next());
    await eventually(() => expect(double.subscriptions()).to.equal(1));
    const metadata = { time: new Date().toISOString(), command_id: 'c', correlation_id: 'c' };
    await log.append(aStream(), NO_STREAM, [{ id: crypto.randomUUID(), type: 'Noted', data: {}, metadata }]);
    const [one, ...others] = (await Promise.all(first)).map(({ value }) => (value as RecordedEvent[])[0]);
    expect(one?.type).to.equal('Noted');
    for (const other of others) expect(other === one, 'decoded once').to.equal(true);
    expect(double.sentToSubscriptions()).to.equal(1);
  });

  it('brings every event to a follower that pauses, and does not delay the others', async () => {
    const [slow, ...others] = await followersAtHead();
    const events = someEvents(4_000);
    await append(events.slice(0, 10));
    const seen = await take(slow as AsyncIterator<StoredEvent[], void>, 1);
    await append(events.slice(10));
    const all = await Promise.all(others.map((feed) => take(feed, 4_000)));
    for (const each of all) expect(idsOf(each)).to.deep.equal(idsOf(events));
    seen.push(...(await take(slow as AsyncIterator<StoredEvent[], void>, 4_000 - seen.length)));
    expect(idsOf(seen)).to.deep.equal(idsOf(events));
    const late = anEvent();
    await append([late]);
    expect(idsOf(await take(slow as AsyncIterator<StoredEvent[], void>, 1))).to.deep.equal([late.id]);
    await eventually(() => expect(double.subscriptions()).to.equal(1));
  });

  it('lets a follower that begins far behind read alone until it meets the others', async () => {
    await append(someEvents(3_000));
    const far = follow(0n);
    const seen = await take(far, 1);
    const [near] = await followersAtHead(1, 2);
    const before = await readToHead(store, 0n, 1_000);
    seen.push(...(await take(far, before.length - seen.length)));
    expect(idsOf(seen)).to.deep.equal(idsOf(before));
    const [following, followed] = [take(far, 1), take(near as AsyncIterator<StoredEvent[], void>, 1)];
    await append(someEvents(1));
    const [mine, theirs] = await Promise.all([following, followed]);
    expect(mine).to.deep.equal(theirs);
    await eventually(() => expect(double.subscriptions()).to.equal(1));
  });

  it('ends the subscription with its last follower, and begins another with the next one', async () => {
    const feeds = await followersAtHead();
    const last = feeds.map((feed) => feed.next());
    end.abort();
    for (const { done } of await Promise.all(last)) expect(done).to.equal(true);
    await eventually(() => expect(double.subscriptions()).to.equal(0));
    end = new AbortController();
    await followersAtHead();
    expect(double.subscriptions()).to.equal(1);
  });

  it('tells all followers when the log has no event at their position, and serves later ones', async () => {
    await append(someEvents(10));
    const [event] = await readToHead(store, 0n);
    const feeds = await followersAtHead();
    const waiting = feeds.map((feed) => failure(feed.next()));
    await double.kill();
    double.log.truncateAfter(event?.position ?? 0n);
    const other = [anEvent({ text: 'x'.repeat(100_000) }), anEvent()];
    for (const { id, type } of other) {
      const [data, metadata] = [Buffer.alloc(100_001, 'x'), Buffer.from('{}')];
      double.log.append(aStream(), -1, [
        { id, type, contentType: 'application/octet-stream', data, metadata },
      ]);
    }
    await double.restart();
    for (const error of await Promise.all(waiting)) expect(error).to.be.instanceOf(NoSuchPosition);
    const seen = await take(follow(event?.position ?? 0n), 2);
    expect(idsOf(seen)).to.deep.equal(idsOf(other));
  });

  it('follows once the server is back when it was away as the followers began', async () => {
    await append(someEvents(3));
    const head = await store.head();
    const brief = await openEventStoreDb(double.url, { deadlineMs: 300, backOffMs: 5, maxBackOffMs: 50 });
    tail = new SharedTail(brief);
    await double.kill();
    const feeds = Array.from({ length: FOLLOWERS }, () => follow(head));
    const first = feeds.map((feed) => take(feed, 1));
    expect(await failure(brief.head())).to.be.instanceOf(Error);
    await double.restart();
    const event = anEvent();
    await append([event]);
    for (const seen of await Promise.all(first)) expect(idsOf(seen)).to.deep.equal([event.id]);
    // Followers that an event overtakes before they meet have it from subscriptions of their own.
    const next = feeds.map((feed) => take(feed, 1));
    await eventually(() => expect(double.subscriptions()).to.equal(1));
    await append(someEvents(1));
    await Promise.all(next);
    expect(double.subscriptions()).to.equal(1);
    await brief.close();
  });
});
