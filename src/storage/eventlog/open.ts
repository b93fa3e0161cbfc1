import type { Notifications } from '#kernel/listening.ts';
import type { EventStoreDbOptions } from './eventstoredb.ts';
import type { EventStore } from './port.ts';
import { openPostgresEventStore } from './postgres.ts';

/**
 * Opens the engine that the settings name.
 * @param url the database, which holds the log when `eventStoreUrl` is undefined
 */
export async function openEventStore(
  url: string,
  eventStoreUrl: string | undefined,
  notifications: Notifications,
  options: Pick<EventStoreDbOptions, 'streams' | 'isMarked' | 'onForeign' | 'onOutage'>,
): Promise<EventStore> {
  if (eventStoreUrl === undefined) return openPostgresEventStore(url, notifications);
  // Loaded on demand: its client takes some 20 MB of memory.
  return (await import('./eventstoredb.ts')).openEventStoreDb(eventStoreUrl, options);
}
