import type { RecordedEvent } from '../../kernel/event.ts';

/** The part of the event log that projectors use. */
export interface EventSource {
  head(): Promise<bigint>;
  readAll(after: bigint, limit: number): Promise<RecordedEvent[]>;
  subscribeAll(
    after: bigint,
    options: { batchSize: number; signal: AbortSignal },
  ): AsyncIterable<RecordedEvent[]>;
}
