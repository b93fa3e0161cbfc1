import { expect } from 'chai';
import { NO_STREAM, RevisionConflict } from '#storage/eventlog/port.ts';
import type { OpenedStore } from './event-store.ts';
import {
  anEvent,
  conflict,
  CONTRACT,
  contractStream,
  expectOrdered,
  failure,
  idsOf,
  readToHead,
  someEvents,
} from './support/events.ts';

export function describeAppending(opened: () => OpenedStore): void {
  describe('appending', () => {
    it('returns the revision and the position of the last event', async () => {
      const { store } = opened();
      const stream = contractStream();
      const first = await store.append(stream, NO_STREAM, someEvents(3));
      const second = await store.append(stream, 2, [anEvent()]);
      const events = await store.readStream(stream);
      expect(first).to.deep.equal({ revision: 2, position: events[2]?.position });
      expect(second).to.deep.equal({ revision: 3, position: events[3]?.position });
    });

    it('refuses an expected revision that is too low, and returns the current revision', async () => {
      const { store } = opened();
      const stream = contractStream();
      await store.append(stream, NO_STREAM, someEvents(3));
      const refused = await conflict(store.append(stream, 1, [anEvent()]));
      expect(refused).to.include({ stream, expected: 1, actual: 2 });
      expect(await conflict(store.append(stream, NO_STREAM, [anEvent()]))).to.include({ actual: 2 });
      expect(await store.readStream(stream)).to.have.lengthOf(3);
    });

    it('refuses an expected revision that is higher than the current revision', async () => {
      const { store } = opened();
      const stream = contractStream();
      expect(await conflict(store.append(stream, 0, [anEvent()]))).to.include({ expected: 0 });
      await store.append(stream, NO_STREAM, [anEvent()]);
      expect(await conflict(store.append(stream, 5, [anEvent()]))).to.include({ expected: 5, actual: 0 });
      expect(await store.readStream(stream)).to.have.lengthOf(1);
    });

    it('accepts the events of exactly one writer when many writers expect the same revision', async () => {
      const { store } = opened();
      const stream = contractStream();
      for (let revision = NO_STREAM; revision < 9; revision += 2) {
        const attempts = Array.from({ length: 20 }, () => someEvents(2));
        const results = await Promise.allSettled(
          attempts.map((events) => store.append(stream, revision, events)),
        );
        const winners = attempts.filter((_, i) => results[i]?.status === 'fulfilled');
        expect(winners).to.have.lengthOf(1);
        expect(idsOf(await store.readStream(stream, revision + 1))).to.deep.equal(idsOf(winners[0] ?? []));
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(RevisionConflict);
        }
      }
    });

    it('stores no event of a refused append', async () => {
      const { store } = opened();
      const before = await store.head();
      const stream = contractStream();
      await conflict(store.append(stream, 4, someEvents(3)));
      expect(await store.readStream(stream)).to.deep.equal([]);
      expect(await store.readAll(before, 10)).to.deep.equal([]);
    });

    it('accepts appends to different streams at the same time', async () => {
      const { store } = opened();
      const streams = Array.from({ length: 30 }, () => contractStream());
      const results = await Promise.all(
        streams.map((stream) => store.append(stream, NO_STREAM, someEvents(2))),
      );
      expect(new Set(results.map((result) => result.position)).size).to.equal(30);
      for (const stream of streams) expect(await store.readStream(stream)).to.have.lengthOf(2);
    });
  });

  describe('repeating an append', () => {
    it('returns the first result again and stores nothing', async () => {
      const { store } = opened();
      const stream = contractStream();
      const events = someEvents(3);
      const first = await store.append(stream, NO_STREAM, events);
      expect(await store.append(stream, NO_STREAM, events)).to.deep.equal(first);
      expect(await store.readAll(first.position, 10)).to.deep.equal([]);
    });

    it('returns the first result again when the stream has later events', async () => {
      const { store } = opened();
      const stream = contractStream();
      await store.append(stream, NO_STREAM, someEvents(2));
      const events = someEvents(2);
      const first = await store.append(stream, 1, events);
      await store.append(stream, 3, someEvents(4));
      expect(await store.append(stream, 1, events)).to.deep.equal(first);
      expect(await store.readStream(stream)).to.have.lengthOf(8);
    });

    it('stores the events once when the same append is sent many times at once', async () => {
      const { store } = opened();
      const stream = contractStream();
      const events = someEvents(2);
      const results = await Promise.all(
        Array.from({ length: 20 }, () => store.append(stream, NO_STREAM, events)),
      );
      expect(new Set(results.map(({ revision, position }) => `${revision} ${position}`)).size).to.equal(1);
      expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
    });

    it('returns the first result again after the log was reopened', async function () {
      const { store, reopen } = opened();
      if (!reopen) return this.skip();
      const stream = contractStream();
      const events = someEvents(2);
      const first = await store.append(stream, NO_STREAM, events);
      const other = await reopen();
      try {
        expect(await other.append(stream, NO_STREAM, events)).to.deep.equal(first);
      } finally {
        await other.close();
      }
    });

    it('is a conflict when only some of the events are the same', async () => {
      const { store } = opened();
      const stream = contractStream();
      const events = someEvents(2);
      await store.append(stream, NO_STREAM, events);
      await conflict(store.append(stream, NO_STREAM, [...events.slice(0, 1), anEvent()]));
      await conflict(store.append(stream, NO_STREAM, [...events, anEvent()]));
      expect(await store.readStream(stream)).to.have.lengthOf(2);
    });
  });

  describe('the content of an event', () => {
    it('is returned exactly as it was written', async () => {
      const { store } = opened();
      const stream = contractStream();
      const events = [
        anEvent({ zebra: 1, apple: { 10: 'ten', 9: 'nine' }, list: [1.5, -2e-7, 1e21, null, true] }),
        anEvent(
          { text: 'Ω 🐦 \u0000 \u2028 \\ " \ud800' },
          { time: '2026-01-02T03:04:05.678Z', note: 'Ω 🐦' },
        ),
        anEvent({}, {}),
      ];
      await store.append(stream, NO_STREAM, events);
      const stored = await store.readStream(stream);
      expect(stored.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))).to.deep.equal(
        events,
      );
    });

    it('may be as large as 1 MB', async () => {
      const { store } = opened();
      const stream = contractStream();
      const before = await store.head();
      const event = anEvent({ text: 'x'.repeat(1_000_000) });
      await store.append(stream, NO_STREAM, [event]);
      expect((await store.readStream(stream))[0]?.data === event.data).to.equal(true);
      expect((await store.readAll(before, 1))[0]?.data === event.data).to.equal(true);
    });

    it('may belong to a stream with any Unicode characters in its name', async () => {
      const { store } = opened();
      for (const name of [
        'tag-日本語',
        'tag-🐦‍⬛',
        'tag-Ωμέγα',
        'tag-a b/c?d#e%2F\'"',
        'TAG-case',
        'tag-case',
      ]) {
        const stream = contractStream(name);
        const { position } = await store.append(stream, NO_STREAM, [anEvent({ name })]);
        const [event] = await store.readStream(stream);
        expect(event).to.include({ stream, position });
      }
    });

    it('belongs to different streams when the names differ only in case or in Unicode normal form', async () => {
      const { store } = opened();
      const base = crypto.randomUUID();
      const names = ['é', 'e\u0301', 'É'].map((name) => `${CONTRACT}tag-${name}-${base}`);
      for (const name of names) await store.append(name, NO_STREAM, [anEvent({ name })]);
      for (const name of names) expect(await store.readStream(name)).to.have.lengthOf(1);
    });

    it('must be at least one event in each append', async () => {
      const { store } = opened();
      expect(await failure(store.append(contractStream(), NO_STREAM, []))).to.be.instanceOf(Error);
    });

    it('keeps its order in a large append', async () => {
      const { store } = opened();
      const before = await store.head();
      const events = someEvents(300);
      await store.append(contractStream(), NO_STREAM, events);
      const stored = await readToHead(store, before, 70);
      expect(idsOf(stored)).to.deep.equal(idsOf(events));
      expectOrdered(stored);
    });
  });
}
