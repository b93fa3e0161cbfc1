import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import { describeEventStoreContract } from './event-store.ts';
import { CONTRACT } from './support/events.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';
import { serverAtHand } from './support/server-at-hand.ts';

const serverUrl = serverAtHand();
/** Other specs, and other programs, may use the server at the same time. */
const OURS = { streams: new RegExp(`^${CONTRACT}`) };

if (serverUrl === undefined) {
  describeEventStoreContract('EventStoreDB before 24.2 (a double of the server, over gRPC)', async () => {
    const double = await startEventStoreDbDouble({ oldWording: true });
    const store = await openEventStoreDb(double.url);
    return {
      store,
      reopen: () => openEventStoreDb(double.url),
      async close() {
        await store.close();
        await double.kill();
      },
    };
  });
}

describeEventStoreContract(
  serverUrl ? 'the EventStoreDB at EVENTSTORE_URL' : 'EventStoreDB (a double of the server, over gRPC)',
  async () => {
    const double = serverUrl ? undefined : await startEventStoreDbDouble();
    const url = serverUrl ?? double?.url ?? '';
    const store = await openEventStoreDb(url, OURS);
    return {
      store,
      reopen: () => openEventStoreDb(url, OURS),
      async close() {
        await store.close();
        await double?.kill();
      },
    };
  },
);
