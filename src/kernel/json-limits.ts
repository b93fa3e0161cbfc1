import { RookeryError } from './errors.ts';

export interface JsonLimits {
  /** Objects, arrays, texts, numbers, booleans and nulls; member names count as `keys`. */
  values: number;
  /** Member names of all objects; a repeated name counts each time. */
  keys: number;
  /** The nesting of containers: `[[]]` has two. */
  depth: number;
}

const SCALAR = 0;
const SEPARATOR = 1;
const COLON = 2;
const OPEN = 3;
const CLOSE = 4;
const QUOTE = 5;

/** The meaning of each byte outside of a text. */
const KINDS = new Uint8Array(256).fill(SCALAR);
const mark = (characters: string, kind: number): void => {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
};
mark(' \t\r\n,', SEPARATOR);
mark(':', COLON);
mark('[{', OPEN);
mark(']}', CLOSE);
mark('"', QUOTE);

/**
 * Returns the first limit that JSON in UTF-8 exceeds, or undefined. Reads the bytes once and builds nothing, so it comes before the
 * parse, whose cost grows with the number of values. It does not tell whether the bytes are JSON.
 */
export function jsonExcess(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | undefined {
  const { length } = bytes;
  let tokens = 0;
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const kind = KINDS[bytes[at] as number];
    if (kind === SEPARATOR) at = endOfRun(bytes, at + 1, SEPARATOR);
    else if (kind === CLOSE) depth -= 1;
    else if (kind === COLON) {
      keys += 1;
      if (keys > limits.keys) return 'keys';
    } else {
      // The name of a member counts as a token as well, until its colon makes it a key.
      tokens += 1;
      if (tokens - keys - 1 > limits.values) return 'values';
      if (kind === OPEN) depth += 1;
      else at = kind === QUOTE ? endOfText(bytes, at + 1) : endOfRun(bytes, at + 1, SCALAR);
      if (depth > limits.depth) return 'depth';
    }
  }
  return tokens - keys > limits.values ? 'values' : undefined;
}

/** @throws RookeryError `bad_request` for JSON beyond the limits */
export function assertJsonWithin(bytes: Uint8Array, limits: JsonLimits): void {
  const excess = jsonExcess(bytes, limits);
  if (excess === undefined) return;
  throw new RookeryError('bad_request', MESSAGES[excess]);
}

const MESSAGES = {
  values: 'The JSON has too many values',
  keys: 'The JSON has too many keys',
  depth: 'The JSON is nested too deeply',
} as const;

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;

/** Returns the index of the closing quote, or the length without one. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTATION_MARK) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

/**
 * Returns the index of the last byte of a run of one kind: spaces, or the letters of a number or a boolean.
 */
function endOfRun(bytes: Uint8Array, start: number, kind: number): number {
  let at = start;
  while (at < bytes.length && KINDS[bytes[at] as number] === kind) at += 1;
  return at - 1;
}
