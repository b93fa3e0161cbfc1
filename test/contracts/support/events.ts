import { expect } from 'chai';
import type { EncodedEvent, EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { RevisionConflict } from '#storage/eventlog/port.ts';

/** Returns a new event with a unique id. Its texts are the output of `JSON.stringify`. */
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

/** Returns the name of a new stream, which is unique even on a server that keeps its data between runs. */
export const aStream = (name = 'thing'): string => `${name}-${crypto.randomUUID()}`;

/**
 * The beginning of the names of streams of the contract, in this run alone. They are no streams of this program, so a server
 * on the same EventStoreDB does not read them, and earlier runs and other specs do not disturb the contract.
 */
export const CONTRACT = `contract-${crypto.randomUUID()}-`;

/** Returns the name of a new stream of the contract. */
export const contractStream = (name = 'thing'): string => CONTRACT + aStream(name);

/** Returns the error of a promise that must fail. */
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

/** Reads all events after a position, page by page. */
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

/** Follows the log until the condition is true for the events so far. */
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

/** Expects rising positions in the whole log and consecutive revisions in each stream. */
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
