import type { EventMetadata, RecordedEvent } from '#kernel/event.ts';
import type { StoredEvent } from './port.ts';

/** Returns the event in its unreadable form. @throws Error that names it, unless it is kept */
export function unreadable(event: StoredEvent, error: unknown, isKept: boolean): RecordedEvent {
  const { position, stream, revision, id, type } = event;
  const reason = error instanceof Error ? error.message : String(error);
  const text =
    error instanceof UnknownType ? reason : `The event ${type} at position ${position} is damaged: ${reason}`;
  if (!isKept) throw new Error(text, { cause: error });
  return { position, stream, revision, id, type, data: {}, metadata: metadataIn(event), unreadable: text };
}

/** This version of Rookery does not know the type of an event. */
export class UnknownType extends Error {}

const NO_METADATA: EventMetadata = { time: new Date(0).toISOString(), command_id: '', correlation_id: '' };

function metadataIn({ metadata }: StoredEvent): EventMetadata {
  try {
    return { ...NO_METADATA, ...(JSON.parse(metadata) as Partial<EventMetadata>) };
  } catch {
    return NO_METADATA;
  }
}
