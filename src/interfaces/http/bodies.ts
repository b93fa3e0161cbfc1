import type { IncomingMessage } from 'node:http';
import { RookeryError } from '#kernel/errors.ts';
import type { Json, JsonObject } from '#kernel/event.ts';
import { assertJsonWithin } from '#kernel/json-limits.ts';
import type { FileLimits, UploadedFile } from './multipart.ts';
import { readMultipart } from './multipart.ts';
import { assertKey, assertText, contradiction, NestedNames } from './nested-names.ts';
import { hasBody } from './unread-bodies.ts';

export { discardUploads } from './multipart.ts';
export type { FileLimits, UploadedFile } from './multipart.ts';

export interface BodyLimits {
  /** The maximum bytes of everything but files; the default is 100 kB. */
  maxBytes?: number;
  /** Without limits, a request with a file is refused. */
  files?: FileLimits;
}

/** The contents of a request: fields in any of the three formats, and files by parameter. */
export interface ParsedBody {
  fields: JsonObject;
  files: Record<string, UploadedFile>;
}

/** The contents of a missing or empty body. */
export const NOTHING: ParsedBody = Object.freeze({ fields: Object.freeze({}), files: Object.freeze({}) });

const DEFAULT_MAX_BYTES = 100_000;
/**
 * Above the largest lists that endpoints accept: 1,000 keywords of a filter, each an object with three
 * members.
 */
const JSON_LIMITS = { values: 5_000, keys: 5_000, depth: 6 };
/** Includes empty pairs, as in `a=1&&b=2`. */
const MAX_PAIRS = 2_000;
const ESCAPES_TO_CHECK = /\\u(?:0000|d[89a-f])/i;

/**
 * Reads a JSON, urlencoded or multipart body. A missing body has no fields. The caller deletes the files at
 * the end (`discardUploads`); after a failure there are none. @throws RookeryError `bad_request`,
 * `payload_too_large`, `unsupported_media_type`
 */
export async function parseBody(req: IncomingMessage, limits: BodyLimits = {}): Promise<ParsedBody> {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES;
  if (!hasBody(req)) return NOTHING;
  const type = mediaType(req);
  if (type === 'multipart/form-data') return readMultipart(req, maxBytes, limits.files);

  const body = await readBytes(req, maxBytes);
  if (body.length === 0) return NOTHING;
  if (type === 'application/json' || type.endsWith('+json')) return { ...NOTHING, fields: parseJson(body) };
  if (type === 'application/x-www-form-urlencoded')
    return { ...NOTHING, fields: parsePairs(decodeUtf8(withSpaces(body))) };
  // As in Rails, a body of any other type has no fields.
  return NOTHING;
}

/**
 * Returns the parameters of a query string, with or without its question mark. @throws RookeryError
 * `bad_request`
 */
export function parseQuery(search: string): JsonObject {
  const text = search.startsWith('?') ? search.slice(1) : search;
  // Node decodes bytes that are not percent-encoded as Latin-1.
  return parsePairs(/[\x80-\xff]/.test(text) ? decodeUtf8(Buffer.from(text, 'latin1')) : text);
}

/**
 * Returns all bytes of the body. @throws RookeryError `payload_too_large`, or `bad_request` when it is cut
 * off
 */
export function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: RookeryError): void => {
      stop();
      // Its rest is bounded when the reply is sent: `unread-bodies.ts`.
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) fail(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onClose = (): void => fail(new RookeryError('bad_request', 'The request was cut off'));
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
      fail(tooLarge());
      return;
    }
    // `close` follows an error, and rejects.
    req.on('error', () => undefined);
    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/**
 * Returns the members of a JSON object; as in Rails, other values have none. @throws RookeryError
 * `bad_request` for invalid JSON, for too large or too deep values, and for text that cannot be stored
 */
export function parseJson(body: Buffer): JsonObject {
  assertJsonWithin(body, JSON_LIMITS);
  const text = decodeUtf8(body);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    throw new RookeryError('bad_request', 'The body is not valid JSON', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  assertJson(value, ESCAPES_TO_CHECK.test(text));
  return text.includes('[]"') ? (withoutBrackets(value) as JsonObject) : value;
}

/**
 * Returns the value with its lists under their names: some apps send `media_ids[]`, the name in a form, as a key of
 * JSON. A single value becomes a list, as in a form. @throws RookeryError `bad_request` for a list with two names
 */
function withoutBrackets(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBrackets);
  const read: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const isList = key.endsWith('[]') && key.length > 2;
    const name = isList ? key.slice(0, -2) : key;
    assertKey(name);
    if (Object.hasOwn(read, name)) throw contradiction(key);
    const inner = withoutBrackets(item);
    read[name] = !isList || Array.isArray(inner) || inner === null ? inner : [inner];
  }
  return read;
}

/** Throws RookeryError `bad_request` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new RookeryError('bad_request', 'Text is not valid UTF-8', { cause });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function assertJson(value: Json, checkTexts: boolean): void {
  if (typeof value === 'string') {
    if (checkTexts) assertText(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) assertJson(item, checkTexts);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    assertKey(key);
    if (checkTexts) assertText(key);
    assertJson(item, checkTexts);
  }
}

function parsePairs(text: string): JsonObject {
  const names = new NestedNames();
  let pairs = 0;
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if ((pairs += 1) > MAX_PAIRS) throw new RookeryError('bad_request', 'Too many parameters');
    if (end > start) {
      const equals = text.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      names.add(unescape(text.slice(start, nameEnd)), unescape(text.slice(nameEnd + 1, end)));
    }
    start = end + 1;
  }
  return names.fields();
}

const PLUS = 0x2b;
const SPACE = 0x20;

/** Replaces plus signs in place: any other way takes a tenth of a second for a text of 1 MB of plus signs. */
function withSpaces(form: Buffer): Buffer {
  for (let at = 0; at < form.length; at += 1) if (form[at] === PLUS) form[at] = SPACE;
  return form;
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new RookeryError('bad_request', 'A parameter is not valid percent-encoded UTF-8', { cause });
  }
}

/**
 * Returns the media type in lower case. The charset is ignored, as in Rails: everything is UTF-8. @throws
 * RookeryError `unsupported_media_type` for compressed bodies
 */
function mediaType(req: IncomingMessage): string {
  const [type = ''] = (req.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RookeryError('unsupported_media_type', 'A compressed body is not understood');
  }
  return type.trim();
}

const tooLarge = (): RookeryError => new RookeryError('payload_too_large', 'The body is too large');
