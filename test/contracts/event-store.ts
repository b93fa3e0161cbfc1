import type { EventStore } from '../../src/storage/eventlog/port.ts';
import { describeAppending } from './event-store-appending.ts';
import { describeReading } from './event-store-reading.ts';
import { describeSubscribing } from './event-store-subscribing.ts';

/** An adapter under test. */
export interface OpenedStore {
  store: EventStore;
  /** Another store on the same log, as another process or a later start would open it. The suite closes it. */
  reopen?: () => Promise<EventStore>;
  close: () => Promise<void>;
}

/**
 * What every adapter of the event log has to do. Tests use streams and positions of their own, so the log may hold
 * events already; nobody else may write to it meanwhile.
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
