import type { RecordedEvent } from '#kernel/event.ts';
import type { Reactor, Timer } from '#kernel/reactor.ts';
import type { Services } from '#kernel/services.ts';
import type { EventLog } from '../eventlog/port.ts';
import type { Database } from '../postgres/db.ts';
import type { ContextFor } from './attempt.ts';

/** The dependencies of reactors and timers. */
export interface ReactorsOptions {
  reactors: readonly Reactor[];
  timers: readonly Timer[];
  /** The database's URL, for the connection that holds the lock. */
  url: string;
  log: EventLog;
  db: Database;
  /** With synchronous_commit off: checkpoints may lag. */
  checkpointDb: Database;
  contextFor: ContextFor;
  services: Services;
  /** Waits, within bounds, until the read models of these groups reach the position. */
  reached: (groups: readonly string[], position: bigint) => Promise<boolean>;
  onError: (error: unknown) => void;
  onDeadLetter: (reactor: string, event: RecordedEvent, error: unknown) => void;
}
