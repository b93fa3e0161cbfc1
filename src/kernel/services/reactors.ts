import type { RecordedEvent } from '../event.ts';

/** A reactor: work that follows from events outside of the read models. */
export interface ReactorInfo {
  name: string;
  /** Every event up to here is handled or dead-lettered. */
  position: string;
  /** Null when the log cannot be read from there. */
  lag: { events: number | null; estimated: boolean; seconds: number | null };
  dead_letters: number;
}

/** An event that a reactor could not handle, and that waits for the operator. */
export interface DeadLetterInfo {
  reactor: string;
  event_id: string;
  event_type: string;
  stream: string;
  position: string;
  attempts: number;
  error: string;
  /** ISO 8601. */
  failed_at: string;
  /** It is to be tried again. */
  retrying: boolean;
}

/** Work that follows from the time, as the process that runs it last stored it. Times are ISO 8601. */
export interface TimerInfo {
  name: string;
  /** `late`: it was to run a minute ago; `stopped`: no process runs it. */
  state: 'running' | 'late' | 'failing' | 'stopped';
  /** Null while nothing is due. */
  next_at: string | null;
  /** The last time that it acted on something. */
  fired_at: string | null;
  /** How often it acted on something. */
  fired: number;
  /** How many things wait for another try. */
  failing: number;
  /** The last failure, while it fails. */
  error: string | null;
  failing_since: string | null;
  /** The last sign of life of the process that runs it. */
  seen_at: string;
}

/** Some dead-lettered events: all, one reactor's, or one event. */
export interface DeadLetterChoice {
  reactor?: string | undefined;
  eventId?: string | undefined;
}

/** The reactors of this server, for those who operate it. */
export interface Reactors {
  list(): Promise<ReactorInfo[]>;
  /** Returns the timers, by name. */
  timers(): Promise<TimerInfo[]>;
  /** Returns dead-lettered events, the newest first, at most `limit`. */
  deadLetters(which: DeadLetterChoice & { limit: number }): Promise<DeadLetterInfo[]>;
  countDeadLetters(which: DeadLetterChoice): Promise<number>;
  /** Returns the event, decoded; undefined when it cannot be read. */
  eventAt(position: string): Promise<RecordedEvent | undefined>;
  /** Asks the process that runs the reactors to try them again. @returns their number */
  retry(which: DeadLetterChoice): Promise<number>;
}
