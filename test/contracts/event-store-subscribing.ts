import { expect } from 'chai';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import type { OpenedStore } from './event-store.ts';
import {
  anEvent,
  contractStream,
  expectOrdered,
  followUntil,
  idsOf,
  readToHead,
  someEvents,
} from './support/events.ts';

export function describeSubscribing(opened: () => OpenedStore): void {
  describe('following the log', () => {
    it('delivers the stored events first, then new events', async () => {
      const { store } = opened();
      const before = await store.head();
      const stream = contractStream();
      const old = someEvents(5);
      const late = someEvents(3);
      await store.append(stream, NO_STREAM, old);
      let sent = false;
      const seen = await followUntil(store, before, (events) => {
        if (events.length === 5 && !sent) {
          sent = true;
          void store.append(stream, 4, late);
        }
        return events.length === 8;
      });
      expect(idsOf(seen)).to.deep.equal(idsOf([...old, ...late]));
      expect(seen).to.deep.equal(await store.readStream(stream));
    });

    it('delivers each append to a subscriber that waits at the head', async () => {
      const { store } = opened();
      const stream = contractStream();
      const controller = new AbortController();
      const feed = store.subscribeAll(await store.head(), { batchSize: 10, signal: controller.signal });
      const iterator = feed[Symbol.asyncIterator]();
      for (let revision = NO_STREAM; revision < 20; revision += 1) {
        const next = iterator.next();
        const event = anEvent();
        await store.append(stream, revision, [event]);
        const { value } = (await next) as IteratorYieldResult<StoredEvent[]>;
        expect(idsOf(value)).to.deep.equal([event.id]);
      }
      controller.abort();
      expect((await iterator.next()).done).to.equal(true);
    });

    it('continues after a checkpoint', async () => {
      const { store, reopen } = opened();
      const before = await store.head();
      for (let n = 0; n < 10; n += 1) await store.append(contractStream(), NO_STREAM, someEvents(5));
      const all = await readToHead(store, before);
      const other = reopen ? await reopen() : store;
      try {
        for (const done of [1, 4, 5, 27, 49]) {
          const checkpoint = all[done - 1]?.position ?? 0n;
          const rest = await followUntil(other, checkpoint, (seen) => seen.length >= 50 - done, 7);
          expect(rest, `after ${done}`).to.deep.equal(all.slice(done));
        }
      } finally {
        if (other !== store) await other.close();
      }
    });

    it('serves several subscribers that read at different speeds', async () => {
      const { store } = opened();
      const before = await store.head();
      const followers = [1, 10, 1000].map((batchSize) =>
        followUntil(store, before, (seen) => seen.length >= 60, batchSize),
      );
      for (let n = 0; n < 20; n += 1) await store.append(contractStream(), NO_STREAM, someEvents(3));
      const all = await readToHead(store, before);
      for (const seen of await Promise.all(followers)) expect(seen).to.deep.equal(all);
    });

    it('delivers all events to a slow subscriber while others append', async () => {
      const { store } = opened();
      const before = await store.head();
      const stream = contractStream();
      const controller = new AbortController();
      const seen: StoredEvent[] = [];
      const feed = store.subscribeAll(before, { batchSize: 3, signal: controller.signal });
      let appended = 0;
      const append = async (): Promise<void> => {
        await store.append(stream, appended - 1, [anEvent({ text: 'y'.repeat(100_000), appended })]);
        appended += 1;
      };
      await append();
      for await (const batch of feed) {
        expect(batch.length).to.be.within(1, 3);
        seen.push(...batch);
        // The log grows faster than the subscriber reads, until 20 MB of events are waiting.
        while (appended < Math.min(200, seen.length * 20)) await append();
        if (seen.length === 200) controller.abort();
      }
      expectOrdered(seen);
      expect(idsOf(seen)).to.deep.equal(idsOf(await store.readStream(stream)));
    });

    it('delivers an event of 1 MB', async () => {
      const { store } = opened();
      const before = await store.head();
      const event = anEvent({ text: 'Ω'.repeat(500_000) });
      await store.append(contractStream(), NO_STREAM, [event]);
      const [seen] = await followUntil(store, before, (events) => events.length === 1);
      expect(seen?.data === event.data).to.equal(true);
    });
  });

  describe('the end of a subscription', () => {
    it('comes when the signal aborts while the subscriber waits for events', async () => {
      const { store } = opened();
      const controller = new AbortController();
      const feed = store.subscribeAll(await store.head(), { batchSize: 10, signal: controller.signal });
      const iterator = feed[Symbol.asyncIterator]();
      const waiting = iterator.next();
      await store.readStream(contractStream());
      controller.abort();
      expect((await waiting).done).to.equal(true);
      expect((await iterator.next()).done).to.equal(true);
    });

    it('comes when the signal aborts before the subscriber has read all events', async () => {
      const { store } = opened();
      const before = await store.head();
      await store.append(contractStream(), NO_STREAM, someEvents(20));
      const seen = await followUntil(store, before, (events) => events.length >= 4, 2);
      // The batch with the fourth event may have the fifth too.
      expect(seen.length).to.be.within(4, 5);
    });

    it('comes at once when the signal was aborted before the start', async () => {
      const { store } = opened();
      const before = await store.head();
      await store.append(contractStream(), NO_STREAM, someEvents(2));
      const feed = store.subscribeAll(before, { batchSize: 10, signal: AbortSignal.abort() });
      for await (const batch of feed) expect.fail(`a batch of ${batch.length}`);
    });

    it('comes when the subscriber leaves its loop', async () => {
      const { store } = opened();
      const before = await store.head();
      const stream = contractStream();
      await store.append(stream, NO_STREAM, someEvents(20));
      const signal = new AbortController().signal;
      for await (const batch of store.subscribeAll(before, { batchSize: 5, signal })) {
        expect(batch.length).to.be.within(1, 5);
        break;
      }
      expect(await store.readStream(stream)).to.have.lengthOf(20);
    });
  });
}
