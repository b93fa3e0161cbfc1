import { openEventStoreDb } from '../../src/storage/eventlog/eventstoredb.ts';
import { describeEventStoreContract } from './event-store.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';

const serverUrl = process.env['EVENTSTORE_URL'];

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
    const store = await openEventStoreDb(url);
    return {
      store,
      reopen: () => openEventStoreDb(url),
      async close() {
        await store.close();
        await double?.kill();
      },
    };
  },
);
