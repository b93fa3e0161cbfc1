import type {
  AllStreamResolvedEvent,
  EventData,
  JSONType,
  MetadataType,
  ResolvedEvent,
} from '@eventstore/db-client';
import type { WireEvent } from './eventstoredb-wire.ts';
import type { EncodedEvent, ForeignEvent, StoredEvent } from './port.ts';

/** Tells which events are of this program. Another program may use the same server, and the same names. */
export interface Ownership {
  streams: RegExp;
  /** Tells whether stored metadata carries the mark of this program. */
  isMarked: (metadata: string) => boolean;
  /** Called for each event without the mark in one of these streams. */
  onForeign: (event: ForeignEvent) => void;
}

/**
 * Returns the event in the client's form. JSON is sent as JSON, so that EventStoreDB's own tools show it. The
 * client parses and prints JSON on its way, which returns the same text if `JSON.stringify` wrote it. Any
 * other text is sent as bytes.
 */
export function toEventData(event: EncodedEvent): EventData {
  const { id, type } = event;
  const metadata = metadataBytes(event.metadata);
  return survivesParsing(event.data)
    ? { id, type, contentType: 'application/json', data: JSON.parse(event.data) as JSONType, metadata }
    : { id, type, contentType: 'application/octet-stream', data: bytes(event.data), metadata };
}

/** Returns the stored event, or undefined for a link and for an event of the server or of another program. */
export function toStoredEvent(
  resolved: AllStreamResolvedEvent | ResolvedEvent,
  ownership: Ownership,
): StoredEvent | undefined {
  const { event } = resolved;
  if (event === undefined || !hasName(event.type, event.streamId, ownership)) return undefined;
  const position = event.position?.commit ?? resolved.commitPosition;
  if (position === undefined) throw new Error('EventStoreDB gave an event without position: 22.6 is needed');
  const stored = {
    id: event.id,
    type: event.type,
    data: event.isJson ? JSON.stringify(event.data) : text(event.data),
    metadata: metadataText(event.metadata),
    position,
    stream: event.streamId,
    revision: Number(event.revision),
  };
  return ours(stored, ownership);
}

/** Does the same with an event as the server sends it, whose JSON is the stored text. */
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
 * The client parses metadata that is JSON and returns the rest as bytes. A leading record separator (as in
 * RFC 7464) is no JSON, so it preserves a text that parsing would change.
 */
const RECORD_SEPARATOR = '\x1e';

const metadataBytes = (json: string): Uint8Array =>
  bytes(survivesParsing(json) ? json : RECORD_SEPARATOR + json);

function metadataText(metadata: MetadataType | undefined): string {
  if (metadata === undefined) return '{}';
  if (!(metadata instanceof Uint8Array)) return JSON.stringify(metadata);
  return withoutSeparator(text(metadata));
}

const withoutSeparator = (stored: string): string =>
  stored.startsWith(RECORD_SEPARATOR) ? stored.slice(1) : stored;

const survivesParsing = (json: string): boolean => JSON.stringify(JSON.parse(json)) === json;

// No Buffer: the client accepts metadata as bytes only from exactly a Uint8Array.
const bytes = (string: string): Uint8Array => new TextEncoder().encode(string);
const text = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
