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

/** Bytes of an integer, of seven bits each, that JavaScript adds up without loss. */
const EXACT_BYTES = 7;
const WIRE_TYPES = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/** The fields of a message and of the messages in it. https://protobuf.dev/programming-guides/encoding/ */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;
  #end: number;
  #type = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** Returns the number of the next field; 0 at the end of the message. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = Number(this.integer());
    this.#type = tag & 7;
    return tag >>> 3;
  }

  /** Enters the message in this field. @returns what `leave` needs */
  enter(): number {
    const outer = this.#end;
    this.#end = this.#length();
    return outer;
  }

  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
  }

  integer(): number | bigint {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < EXACT_BYTES; count += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    let large = BigInt(value);
    for (let shift = BigInt(EXACT_BYTES * 7); ; shift += 7n) {
      const byte = this.#byte();
      large += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return large;
    }
  }

  text(): string {
    const end = this.#length();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  skip(): void {
    if (this.#type === WIRE_TYPES.varint) this.integer();
    else if (this.#type === WIRE_TYPES.delimited) this.#at = this.#length();
    else if (this.#type === WIRE_TYPES.fixed64) this.#at += 8;
    else if (this.#type === WIRE_TYPES.fixed32) this.#at += 4;
    else throw new Error(`EventStoreDB sent a field of the unknown wire type ${this.#type}`);
  }

  /** Returns where the content of a delimited field ends. */
  #length(): number {
    const length = Number(this.integer());
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('EventStoreDB sent a message that is cut off');
    return end;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error('EventStoreDB sent a message that is cut off');
    this.#at += 1;
    return byte;
  }
}
