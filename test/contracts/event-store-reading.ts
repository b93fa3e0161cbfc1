import { expect } from 'chai';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { NO_STREAM, NoSuchPosition } from '#storage/eventlog/port.ts';
import { PATIENCE } from '../support/eventually.ts';
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

export function describeReading(opened: () => OpenedStore): void {
  describe('reading a stream', () => {
    it('returns nothing for an unknown stream', async () => {
      const { store } = opened();
      expect(await store.readStream(contractStream())).to.deep.equal([]);
      expect(await store.readStream(contractStream(), 3, 10)).to.deep.equal([]);
    });

    it('starts at a given revision and returns at most the given number of events', async () => {
      const { store } = opened();
      const stream = contractStream();
      await store.append(stream, NO_STREAM, someEvents(5));
      const revisions = async (from?: number, limit?: number) =>
        (await store.readStream(stream, from, limit)).map((event) => event.revision);
      expect(await revisions()).to.deep.equal([0, 1, 2, 3, 4]);
      expect(await revisions(2)).to.deep.equal([2, 3, 4]);
      expect(await revisions(1, 2)).to.deep.equal([1, 2]);
      expect(await revisions(4, 10)).to.deep.equal([4]);
      expect(await revisions(5)).to.deep.equal([]);
      expect(await revisions(99, 1)).to.deep.equal([]);
    });

    it('returns the events of several streams in the order of the log', async () => {
      const { store } = opened();
      const [a, b, c] = [contractStream(), contractStream(), contractStream()];
      const [first, second, third, other] = [someEvents(1), someEvents(2), someEvents(1), someEvents(1)];
      await store.append(a, NO_STREAM, first);
      await store.append(c, NO_STREAM, other);
      await store.append(b, NO_STREAM, second);
      await store.append(a, 0, third);
      const events = await store.readStreams([b, contractStream(), a]);
      expect(idsOf(events)).to.deep.equal(idsOf([...first, ...second, ...third]));
      expectOrdered(events);
      expect(await store.readStreams([])).to.deep.equal([]);
    });

    it('returns all events of a long stream in order', async () => {
      const { store } = opened();
      const stream = contractStream();
      const events = someEvents(1500);
      for (let from = 0; from < events.length; from += 250) {
        await store.append(stream, from - 1, events.slice(from, from + 250));
      }
      const stored = await store.readStream(stream);
      expect(idsOf(stored)).to.deep.equal(idsOf(events));
      expectOrdered(stored);
    });
  });

  describe('reading the log', () => {
    it('returns the events after a position in the order of the appends', async () => {
      const { store } = opened();
      const before = await store.head();
      const [a, b] = [contractStream(), contractStream()];
      await store.append(a, NO_STREAM, someEvents(2));
      await store.append(b, NO_STREAM, someEvents(1));
      await store.append(a, 1, someEvents(1));
      const events = await store.readAll(before, 10);
      expect(events.map(({ stream, revision }) => [stream, revision])).to.deep.equal([
        [a, 0],
        [a, 1],
        [b, 0],
        [a, 2],
      ]);
      expectOrdered(events);
      expect(await store.readAll(events[1]?.position ?? 0n, 1)).to.deep.equal([events[2]]);
    });

    it('returns the same events as reading the stream', async () => {
      const { store } = opened();
      const before = await store.head();
      const stream = contractStream();
      await store.append(stream, NO_STREAM, someEvents(3));
      expect(await store.readAll(before, 10)).to.deep.equal(await store.readStream(stream));
    });

    it('reads backwards from the head, and before an event', async () => {
      const { store } = opened();
      const before = await store.head();
      await store.append(contractStream(), NO_STREAM, someEvents(3));
      await store.append(contractStream(), NO_STREAM, someEvents(2));
      const events = await store.readAll(before, 10);
      expect(await store.readBack(undefined, 5)).to.deep.equal(events.toReversed());
      expect(await store.readBack(undefined, 2)).to.deep.equal(events.toReversed().slice(0, 2));
      expect(await store.readBack(events[3]?.position, 2)).to.deep.equal([events[2], events[1]]);
    });

    it('finds the event at a position, and nothing where there is none', async () => {
      const { store } = opened();
      const before = await store.head();
      const { position } = await store.append(contractStream(), NO_STREAM, someEvents(2));
      for (const event of await store.readAll(before, 10)) {
        expect(await store.find(event.position)).to.deep.equal(event);
      }
      expect(await store.find(0n)).to.equal(undefined);
      expect(await store.find(position + 1_000_000n)).to.equal(undefined);
    });

    it('returns the position of the newest event as the head', async () => {
      const { store } = opened();
      const { position } = await store.append(contractStream(), NO_STREAM, someEvents(2));
      expect(await store.head()).to.equal(position);
      expect(await store.readAll(position, 10)).to.deep.equal([]);
    });

    it('returns nothing after the head', async () => {
      const { store } = opened();
      const { position } = await store.append(contractStream(), NO_STREAM, someEvents(2));
      expect(await store.readAll(position + 1_000_000n, 10)).to.deep.equal([]);
    });

    it('fails at once at a position that no event has, or continues with the events after it', async () => {
      const { store } = opened();
      const before = await store.head();
      await store.append(contractStream(), NO_STREAM, someEvents(3));
      const events = await store.readAll(before, 10);
      const between = (events[0]?.position ?? 0n) + 1n;
      const signal = AbortSignal.timeout(PATIENCE);
      const follow = async (): Promise<StoredEvent[]> => {
        for await (const batch of store.subscribeAll(between, { batchSize: 10, signal })) return batch;
        return [];
      };
      for (const read of [() => store.readAll(between, 10), follow]) {
        const found = await read().catch((error: unknown) => error);
        if (found instanceof Error) expect(found).to.be.instanceOf(NoSuchPosition);
        // The positions of this log are consecutive, so `between` is the position of the second event.
        else expect(found).to.deep.equal(events.slice(2));
      }
    });

    it('returns all events in order for every size of page', async () => {
      const { store } = opened();
      const before = await store.head();
      const events = someEvents(40);
      for (let from = 0; from < 40; from += 4) {
        await store.append(contractStream(), NO_STREAM, events.slice(from, from + 4));
      }
      for (const page of [1, 3, 7, 39, 40, 41]) {
        expect(idsOf(await readToHead(store, before, page)), `pages of ${page}`).to.deep.equal(idsOf(events));
      }
    });

    it('returns the same log after it was reopened', async function () {
      const { store, reopen } = opened();
      if (!reopen) return this.skip();
      const before = await store.head();
      await store.append(contractStream(), NO_STREAM, someEvents(5));
      const other = await reopen();
      try {
        expect(await readToHead(other, before)).to.deep.equal(await readToHead(store, before));
        const { position } = await other.append(contractStream(), NO_STREAM, someEvents(1));
        expect(await store.head()).to.equal(position);
      } finally {
        await other.close();
      }
    });
  });

  describe('reading while many writers append', () => {
    it('returns every acknowledged event, in order and without gaps', async () => {
      const { store, reopen } = opened();
      const before = await store.head();
      const writers: EventStore[] = [store];
      if (reopen) writers.push(await reopen());
      const shared = Array.from({ length: 4 }, () => contractStream('shared'));
      const acknowledged = new Set<string>();
      const final = anEvent();
      let writing = true;

      /** Appends to a stream that only this writer uses, and tries to append to a shared stream. */
      const write = async (writer: EventStore, seed: number): Promise<void> => {
        const own = contractStream('own');
        let revision = NO_STREAM;
        for (let round = 0; round < 15; round += 1) {
          const events = someEvents(1 + ((round + seed) % 3));
          ({ revision } = await writer.append(own, revision, events));
          for (const id of idsOf(events)) acknowledged.add(id);
          const contested = shared[(round + seed) % shared.length] ?? '';
          const last = (await writer.readStream(contested)).at(-1)?.revision ?? NO_STREAM;
          const more = someEvents(2);
          await writer.append(contested, last, more).then(
            () => idsOf(more).forEach((id) => acknowledged.add(id)),
            () => {},
          );
        }
      };

      const page = async (): Promise<string[]> => {
        const ids: string[] = [];
        let position = before;
        for (let more = true; more;) {
          // The flag is read before the page, so that the last page starts after the end of all writes.
          more = writing;
          for (const event of await readToHead(store, position, 20)) {
            ids.push(event.id);
            position = event.position;
            more = true;
          }
        }
        return ids;
      };

      const following = followUntil(store, before, (seen) => seen.at(-1)?.id === final.id, 20);
      const paging = page();
      await Promise.all(Array.from({ length: 8 }, (_, i) => write(writers[i % writers.length] ?? store, i)));
      writing = false;
      const paged = await paging;
      await store.append(contractStream(), NO_STREAM, [final]);
      const followed = await following;
      for (const other of writers.slice(1)) await other.close();

      const all = await readToHead(store, before);
      expectOrdered(all);
      expect(all).to.have.lengthOf(acknowledged.size + 1);
      expect(new Set(paged)).to.deep.equal(acknowledged);
      expect([...paged, final.id]).to.deep.equal(idsOf(all));
      expect(idsOf(followed)).to.deep.equal(idsOf(all));
    });
  });
}
