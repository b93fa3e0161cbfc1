import { expect } from 'chai';
import type { EncodedEvent, EventStore, StoredEvent } from '../../../src/storage/eventlog/port.ts';
import { RevisionConflict } from '../../../src/storage/eventlog/port.ts';

/** A new event with an id of its own. The texts are what `JSON.stringify` gives. */
export function anEvent(data: unknown = { n: 1 }, metadata: unknown = { command_id: 'c' }): EncodedEvent {
  return {
    id: crypto.randomUUID(),
    type: 'SomethingHappened',
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  };
}

export const someEvents = (count: number): EncodedEvent[] =>
  Array.from({ length: count }, (_, n) => anEvent({ n }));

/** A stream that no test used before, also on a server that is kept between runs. */
export const aStream = (name = 'thing'): string => `${name}-${crypto.randomUUID()}`;

/** The error of a promise that has to fail. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  );
}

export async function conflict(promise: Promise<unknown>): Promise<RevisionConflict> {
  const error = await failure(promise);
  expect(error).to.be.instanceOf(RevisionConflict);
  return error as RevisionConflict;
}

/** Reads the log in pages until nothing is left. */
export async function readToHead(store: EventStore, after: bigint, page = 100): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let position = after; ;) {
    const batch = await store.readAll(position, page);
    const last = batch.at(-1);
    if (!last) return events;
    expect(batch.length).to.be.at.most(page);
    events.push(...batch);
    position = last.position;
  }
}

/** Follows the log until the condition holds for what came so far. */
export async function followUntil(
  store: EventStore,
  after: bigint,
  enough: (seen: StoredEvent[]) => boolean,
  batchSize = 50,
): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  const controller = new AbortController();
  for await (const batch of store.subscribeAll(after, { batchSize, signal: controller.signal })) {
    expect(batch.length).to.be.within(1, batchSize);
    seen.push(...batch);
    if (enough(seen)) controller.abort();
  }
  return seen;
}

/** Positions rise over all streams; the revisions of each stream count without a gap. */
export function expectOrdered(events: readonly StoredEvent[]): void {
  const revisions = new Map<string, number>();
  let previous = -1n;
  for (const { position, stream, revision } of events) {
    expect(position > previous, `position ${position} after ${previous}`).to.equal(true);
    previous = position;
    const last = revisions.get(stream);
    if (last !== undefined) expect(revision, `revision of ${stream}`).to.equal(last + 1);
    revisions.set(stream, revision);
  }
}

export const idsOf = (events: readonly { id: string }[]): string[] => events.map((event) => event.id);
