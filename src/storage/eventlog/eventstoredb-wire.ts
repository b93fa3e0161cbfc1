import { Fields } from './eventstoredb-protobuf.ts';

/** An event as the server sends it. */
export interface WireEvent {
  id: string;
  stream: string;
  revision: number;
  position: bigint;
  type: string;
  data: string;
  metadata: string;
}

/** A result of a read. */
export interface WireResult {
  /** Undefined in a result of another kind. */
  event: WireEvent | undefined;
}

/**
 * Decodes a `ReadResp` of `streams.proto`. The classes that are generated from that file take five times as
 * long.
 */
export function decodeRead(bytes: Buffer): WireResult {
  const fields = new Fields(bytes);
  let event: WireEvent | undefined;
  for (let field = fields.next(); field > 0; field = fields.next()) {
    if (field === 1) event = readEvent(fields);
    else fields.skip();
  }
  return { event };
}

/** `ReadResp.ReadEvent`, without the link that led to the event. */
function readEvent(fields: Fields): WireEvent | undefined {
  const outer = fields.enter();
  let event: WireEvent | undefined;
  for (let field = fields.next(); field > 0; field = fields.next()) {
    if (field === 1) event = recordedEvent(fields);
    else fields.skip();
  }
  fields.leave(outer);
  return event;
}

/** `ReadResp.ReadEvent.RecordedEvent` */
function recordedEvent(fields: Fields): WireEvent {
  const event = { id: '', stream: '', revision: 0, position: 0n, type: '', data: '', metadata: '' };
  const outer = fields.enter();
  for (let field = fields.next(); field > 0; field = fields.next()) {
    if (field === 1) event.id = textIn(fields, 2);
    else if (field === 2) event.stream = textIn(fields, 3);
    else if (field === 3) event.revision = Number(fields.integer());
    else if (field === 5) event.position = BigInt(fields.integer());
    else if (field === 6) event.type = typeIn(fields) ?? event.type;
    else if (field === 7) event.metadata = fields.text();
    else if (field === 8) event.data = fields.text();
    else fields.skip();
  }
  fields.leave(outer);
  return event;
}

/** Returns a text of a message with one field: of a `UUID`, or of a `StreamIdentifier`. */
function textIn(fields: Fields, wanted: number): string {
  const outer = fields.enter();
  let text = '';
  for (let field = fields.next(); field > 0; field = fields.next()) {
    if (field === wanted) text = fields.text();
    else fields.skip();
  }
  fields.leave(outer);
  return text;
}

/** Returns the value of an entry of the map of properties, if it is the type of the event. */
function typeIn(fields: Fields): string | undefined {
  const outer = fields.enter();
  let key = '';
  let value = '';
  for (let field = fields.next(); field > 0; field = fields.next()) {
    if (field === 1) key = fields.text();
    else if (field === 2 && key === 'type') value = fields.text();
    else fields.skip();
  }
  fields.leave(outer);
  return key === 'type' ? value : undefined;
}
