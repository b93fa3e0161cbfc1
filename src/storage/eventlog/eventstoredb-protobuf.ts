/** Bytes of an integer, of seven bits each, that JavaScript adds up without loss. */
const EXACT_BYTES = 7;
const WIRE_TYPES = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/** The fields of a message and of the messages in it. https://protobuf.dev/programming-guides/encoding/ */
export class Fields {
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

/** Returns a field with bytes: a text, or a message in this message. */
export function bytesField(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE_TYPES.delimited), varint(content.length), content]);
}

export const textField = (number: number, text: string): Buffer => bytesField(number, Buffer.from(text));

export const integerField = (number: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(number * 8 + WIRE_TYPES.varint), varint(value)]);

/** The content of a message without fields. */
export const EMPTY = Buffer.alloc(0);

/** Encodes an integer that is not negative. */
function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let large = value;
  for (; large > Number.MAX_SAFE_INTEGER; large = BigInt(large) >> 7n)
    bytes.push(Number(BigInt(large) & 0x7fn) + 0x80);
  let rest = Number(large);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
