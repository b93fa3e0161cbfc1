import type { EventMetadata, JsonObject } from '../event.ts';

/** An event of the log, as its store has it and as this version of the program reads it. */
export interface LoggedEvent {
  position: string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  metadata: EventMetadata;
  /** Null where this version cannot read the event, such as one of a later version. */
  data: JsonObject | null;
  /** Null for events without personal fields. */
  personal: {
    fields: string[];
    /** The store has them as ciphertext. Events of early versions have them in clear text. */
    encrypted: boolean;
    /** The key is destroyed: `data` has the values that stand for erased ones. */
    erased: boolean;
    /** They cannot be decrypted: `data` has the values that stand for erased ones. */
    damaged: boolean;
  } | null;
}

/** All conditions must match. */
export interface EventFilter {
  types: readonly string[];
  /** Events of these types are left out. */
  without?: readonly string[];
  /** The id of the account whose own looks at the log (`AuditViewed`) are left out. */
  withoutLooksOf?: string | undefined;
  /** ISO 8601; `from` is included, `until` is not. */
  from?: string | undefined;
  until?: string | undefined;
  /** The name of a stream, or its beginning with an asterisk: `status-*`. */
  stream?: string | undefined;
  /** The id of a local account. */
  actor?: string | undefined;
  correlation?: string | undefined;
}

/** The part of the log that was looked through; positions are null where it is empty. */
export interface Looked {
  events: number;
  first: string | null;
  last: string | null;
}

export interface EventPage {
  head: string;
  /** The newest first. */
  events: LoggedEvent[];
  looked: Looked;
  /** Where to look further: before this position. Null at the beginning of the log or stream. */
  next: string | null;
}

/** How far a read model is with the events of a trace. */
export interface ReadModelOfTrace {
  name: string;
  group: string;
  /** The positions of the events that it handles. */
  takes: string[];
  /** The position of the last event that it contains; null where it is not built. */
  position: string | null;
  state: 'contains_them' | 'behind' | 'halted' | 'not_built';
}

export interface FailedReaction {
  reactor: string;
  event_id: string;
  event_type: string;
  error: string;
  failed_at: string;
}

export interface EventTrace {
  head: string;
  /** In the order of the log. */
  events: LoggedEvent[];
  looked: Looked;
  read_models: ReadModelOfTrace[];
  failures: FailedReaction[];
}

/** The event log, for those who operate this server. A look at it is bounded, and says how far it went. */
export interface EventBrowser {
  /** @throws RookeryError `not_found` for a position that cannot be read from */
  list(filter: EventFilter, place: { before?: string | undefined; limit: number }): Promise<EventPage>;
  find(position: string): Promise<LoggedEvent | undefined>;
  head(): Promise<string>;
  /** Returns the events with a correlation id around a position, as `trace` collects them. */
  around(correlation: string, position: string): Promise<LoggedEvent[]>;
  /**
   * Collects the events with a correlation id: around the position `near`, before the position `before`, or else
   * among the newest. @throws RookeryError `not_found` for a position that cannot be read from
   */
  trace(
    correlation: string,
    place: { near?: string | undefined; before?: string | undefined },
  ): Promise<EventTrace>;
}
