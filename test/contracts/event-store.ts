import type { EventStore } from '#storage/eventlog/port.ts';
import { describeAppending } from './event-store-appending.ts';
import { describeReading } from './event-store-reading.ts';
import { describeSubscribing } from './event-store-subscribing.ts';

/** An event store under test. */
export interface OpenedStore {
  store: EventStore;
  /** Opens another store on the same log, like another process or a restart. The tests close it. */
  reopen?: () => Promise<EventStore>;
  close: () => Promise<void>;
}

/**
 * The behaviour that every adapter of the event log must have. The tests create new streams (`contractStream`) and read from the
 * current head, so the log may contain other events. No other program may write during the tests to the streams that the store reads.
 */
export function describeEventStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`The event log on ${name}`, () => {
    let opened: OpenedStore;

    before(async () => {
      opened = await open();
    });

    after(async () => {
      await opened?.close();
    });

    const current = (): OpenedStore => opened;
    describeAppending(current);
    describeReading(current);
    describeSubscribing(current);
  });
}
