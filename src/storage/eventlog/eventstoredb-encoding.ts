import type { WireEvent } from './eventstoredb-wire.ts';
import type { ForeignEvent, StoredEvent } from './port.ts';

/** Tells which events are of this program. Another program may use the same server, and the same names. */
export interface Ownership {
  streams: RegExp;
  /** Tells whether stored metadata carries the mark of this program. */
  isMarked: (metadata: string) => boolean;
  /** Called for each event without the mark in one of these streams. */
  onForeign: (event: ForeignEvent) => void;
}

/** Returns the stored event, or undefined for an event of the server or of another program. */
export function fromWire(event: WireEvent, ownership: Ownership): StoredEvent | undefined {
  if (!hasName(event.type, event.stream, ownership)) return undefined;
  const metadata = event.metadata === '' ? '{}' : withoutSeparator(event.metadata);
  return ours({ ...event, metadata }, ownership);
}

const hasName = (type: string, stream: string, { streams }: Ownership): boolean =>
  !type.startsWith('$') && streams.test(stream);

function ours(event: StoredEvent, { isMarked, onForeign }: Ownership): StoredEvent | undefined {
  if (isMarked(event.metadata)) return event;
  onForeign({ stream: event.stream, type: event.type, position: event.position });
  return undefined;
}

/**
 * Earlier versions put a record separator (as in RFC 7464) before metadata that the client would have parsed into another text.
 */
const RECORD_SEPARATOR = '\x1e';

const withoutSeparator = (stored: string): string =>
  stored.startsWith(RECORD_SEPARATOR) ? stored.slice(1) : stored;
