import type { RecordedEvent } from '../event.ts';

/** An event with what is left of it. */
export interface PastEvent extends RecordedEvent {
  /** The key of its personal fields is destroyed: they have the values that the catalogue declares. */
  erased: boolean;
}

/** The past of single things, from the log. */
export interface PastEvents {
  /** Returns the events of these streams in the order of the log. @throws RookeryError `unavailable` */
  ofStreams(streams: readonly string[]): Promise<PastEvent[]>;
}
