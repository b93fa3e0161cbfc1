import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import type { EventStore } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { SharedTail } from '#storage/eventlog/shared-tail.ts';
import { freshDatabase } from '../support/database.ts';
import { describeEventStoreContract } from './event-store.ts';
import { startEventStoreDbDouble } from './support/eventstoredb-double.ts';

/** The shared tail promises the same as the engine below it, so each engine behind it passes the contract. */
const sharing = (store: EventStore): EventStore => {
  const tail = new SharedTail(store);
  return {
    append: (stream, revision, events) => store.append(stream, revision, events),
    readStream: (stream, from, limit) => store.readStream(stream, from, limit),
    readStreams: (streams) => store.readStreams(streams),
    readAll: (after, limit) => store.readAll(after, limit),
    readBack: (before, limit) => store.readBack(before, limit),
    find: (position) => store.find(position),
    foreignIn: (stream) => store.foreignIn(stream),
    head: () => store.head(),
    subscribeAll: (after, options) => tail.subscribeAll(after, options),
    serverVersion: () => store.serverVersion(),
    close: () => store.close(),
  };
};

describeEventStoreContract('EventStoreDB, followed through one shared tail', async () => {
  const double = await startEventStoreDbDouble();
  const store = sharing(await openEventStoreDb(double.url));
  return {
    store,
    reopen: async () => sharing(await openEventStoreDb(double.url)),
    async close() {
      await store.close();
      await double.kill();
    },
  };
});

describeEventStoreContract('PostgreSQL, followed through one shared tail', async () => {
  const url = await freshDatabase();
  const store = sharing(await openPostgresEventStore(url));
  return {
    store,
    reopen: async () => sharing(await openPostgresEventStore(url)),
    close: () => store.close(),
  };
});
