import type { EventLog } from '#storage/eventlog/port.ts';

/** The part of the event log that projectors use. */
export type EventSource = Pick<EventLog, 'head' | 'readAll' | 'subscribeAll'>;
