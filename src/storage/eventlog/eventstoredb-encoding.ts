import type {
  AllStreamResolvedEvent,
  EventData,
  JSONType,
  MetadataType,
  ResolvedEvent,
} from '@eventstore/db-client';
import type { EncodedEvent, StoredEvent } from './port.ts';

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
  streams: RegExp,
): StoredEvent | undefined {
  const { event } = resolved;
  if (event === undefined || event.type.startsWith('$') || !streams.test(event.streamId)) return undefined;
  const position = event.position?.commit ?? resolved.commitPosition;
  if (position === undefined) throw new Error('EventStoreDB gave an event without position: 22.6 is needed');
  return {
    id: event.id,
    type: event.type,
    data: event.isJson ? JSON.stringify(event.data) : text(event.data),
    metadata: metadataText(event.metadata),
    position,
    stream: event.streamId,
    revision: Number(event.revision),
  };
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
  const decoded = text(metadata);
  return decoded.startsWith(RECORD_SEPARATOR) ? decoded.slice(1) : decoded;
}

const survivesParsing = (json: string): boolean => JSON.stringify(JSON.parse(json)) === json;

// No Buffer: the client accepts metadata as bytes only from exactly a Uint8Array.
const bytes = (string: string): Uint8Array => new TextEncoder().encode(string);
const text = (array: Uint8Array): string => Buffer.from(array).toString('utf8');
