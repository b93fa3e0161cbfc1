/**
 * JSON in consecutive pieces. Parts that many readers share are UTF-8 bytes, which a reply only copies; a
 * reader's own parts are short strings between them. No long string is ever joined, or encoded twice.
 */
export type JsonPieces = readonly JsonPiece[];
export type JsonPiece = string | Buffer;

/** Makes JSON from a template: json`{"account":${account},"status":${pieces}}`. Values are JSON already. */
export function json(
  texts: TemplateStringsArray,
  ...values: readonly (JsonPiece | JsonPieces)[]
): JsonPieces {
  const pieces: JsonPiece[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    append(pieces, texts[index] ?? '');
    append(pieces, values[index] ?? '');
  }
  return pieces;
}

/** Makes a JSON array of the items. */
export function jsonArray(items: Iterable<JsonPiece | JsonPieces>): JsonPieces {
  const pieces: JsonPiece[] = ['['];
  let separator = '';
  for (const item of items) {
    append(pieces, separator);
    append(pieces, item);
    separator = ',';
  }
  append(pieces, ']');
  return pieces;
}

/** Caches a text that depends on flags alone: there are few, so each is rendered and encoded once. */
export function textByFlags(
  render: (...flags: readonly boolean[]) => string,
): (...flags: readonly boolean[]) => Buffer {
  const known: Buffer[] = [];
  return (...flags) => {
    const index = flags.reduce((sum, flag) => 2 * sum + (flag ? 1 : 0), 0);
    return (known[index] ??= bytesOf([render(...flags)]));
  };
}

/** Parses pieces, for code that must read the value. */
export const parseJson = (pieces: JsonPieces): unknown => JSON.parse(bytesOf(pieces).toString());

/**
 * Copies pieces into memory of their own, to be kept: a part of Node's pool (`Buffer.allocUnsafe`) would keep
 * the whole pool alive.
 */
export const bytesOf = (pieces: JsonPieces): Buffer =>
  bytesIn(
    (size) => Buffer.allocUnsafeSlow(size),
    pieces,
    (text) => Buffer.byteLength(text),
  );

/** The most bytes of a text in UTF-8: three for one UTF-16 code unit. Cheaper than to count them. */
const mostBytes = (text: string): number => 3 * text.length;

/** Writes into memory that the caller owns. Where `sizeOf` is an upper bound, bytes may be left over. */
export function bytesIn(
  allocate: (size: number) => Buffer,
  pieces: JsonPieces,
  sizeOf: (text: string) => number = mostBytes,
): Buffer {
  let most = 0;
  for (const piece of pieces) most += typeof piece === 'string' ? sizeOf(piece) : piece.length;
  const bytes = allocate(most);
  return bytes.subarray(0, write(pieces, bytes));
}

/** Returns the number of bytes that were written. */
function write(pieces: JsonPieces, bytes: Buffer): number {
  let length = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') length += bytes.write(piece, length);
    else {
      bytes.set(piece, length);
      length += piece.length;
    }
  }
  return length;
}

const SHORT = 1_000;

/** Joins adjacent short strings, which are cheaper to encode together. */
function append(pieces: JsonPiece[], value: JsonPiece | JsonPieces): void {
  if (typeof value === 'string') {
    const last = pieces.at(-1);
    if (typeof last === 'string' && last.length + value.length <= SHORT) {
      pieces[pieces.length - 1] = last + value;
    } else if (value !== '') pieces.push(value);
  } else if (Buffer.isBuffer(value)) pieces.push(value);
  else for (const piece of value) append(pieces, piece);
}
