import { expect } from 'chai';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EncodedEvent, EventStore } from '#storage/eventlog/port.ts';
import { LogUnavailable, NO_STREAM } from '#storage/eventlog/port.ts';
import { patience } from '../support/deadlines.ts';
import { anEvent, aStream, followUntil, idsOf, readToHead } from './support/events.ts';
import type { EventStoreDbCluster } from './support/eventstoredb-double-cluster.ts';
import { startEventStoreDbCluster } from './support/eventstoredb-double-cluster.ts';

describe('The event log on a cluster of EventStoreDB (test doubles over gRPC)', () => {
  let cluster: EventStoreDbCluster;
  let store: EventStore;

  beforeEach(async () => {
    cluster = await startEventStoreDbCluster();
    store = await openEventStoreDb(cluster.url, {
      deadlineMs: patience(1_000),
      backOffMs: 5,
      maxBackOffMs: 50,
    });
  });
  afterEach(async () => {
    await store.close();
    await cluster.close();
  });

  /** Repeats an append that fails, like a client that gets the answer 503. Fails after a few attempts. */
  const appendPatiently = async (stream: string, revision: number, event: EncodedEvent): Promise<number> => {
    for (let attempt = 1; ; attempt += 1) {
      const done = await store.append(stream, revision, [event]).catch((error: unknown) => error);
      if (!(done instanceof Error)) return attempt;
      expect(done).to.be.instanceOf(LogUnavailable);
      expect(attempt, 'attempts that failed').to.be.below(4);
    }
  };

  it('writes through the new leader when the old leader hangs', async () => {
    const stream = aStream();
    const events = [anEvent(), anEvent(), anEvent(), anEvent()];
    for (const [index, event] of events.entries()) {
      await appendPatiently(stream, index - 1, event);
      if (index < 2) cluster.hangLeader();
      if (index === 2) cluster.resume();
    }
    expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
  });

  it('continues a subscription through the new leader and loses no event', async () => {
    const last = anEvent();
    const following = followUntil(store, 0n, (seen) => seen.at(-1)?.id === last.id);
    await appendPatiently(aStream(), NO_STREAM, anEvent());
    cluster.hangLeader();
    await appendPatiently(aStream(), NO_STREAM, anEvent());
    await appendPatiently(aStream(), NO_STREAM, last);
    const seen = idsOf(await following);
    expect(seen).to.deep.equal(idsOf(await readToHead(store, 0n)));
    expect(seen).to.have.length(3);
  });

  it('continues the subscription of an idle process through the new leader', async () => {
    const options = { deadlineMs: patience(1_000), backOffMs: 5, maxBackOffMs: 50 };
    const reader = await openEventStoreDb(cluster.url, options);
    const [first, second] = [anEvent(), anEvent()];
    let begun = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const following = followUntil(reader, 0n, (seen) => {
      begun();
      return seen.length === 2;
    });
    await appendPatiently(aStream(), NO_STREAM, first);
    await beginning;
    cluster.hangLeader();
    await appendPatiently(aStream(), NO_STREAM, second);
    expect(idsOf(await following)).to.deep.equal(idsOf([first, second]));
    await reader.close();
  });

  it('reads from the new leader when the old leader hangs', async () => {
    const { position } = await store.append(aStream(), NO_STREAM, [anEvent()]);
    cluster.hangLeader();
    const heads: unknown[] = [];
    for (let attempt = 0; attempt < 4 && !heads.includes(position); attempt += 1) {
      heads.push(await store.head().catch((error: unknown) => error));
    }
    expect(heads.at(-1)).to.equal(position);
  });
});
