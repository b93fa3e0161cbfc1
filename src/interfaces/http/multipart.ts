import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { RookeryError, isDiskFull, isRookeryError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/event.ts';
import { NestedNames, assertKey, assertText } from './nested-names.ts';

export interface FileLimits {
  /** Bytes of one file. */
  maxBytes: number;
  /** Files in one request; 1 unless given. */
  maxCount?: number;
  /** Where files wait; the system's temporary folder unless given. */
  directory?: string;
}

/** A file that came with a request, on the local disk. Name and type are what the client claims. */
export interface UploadedFile {
  path: string;
  filename: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** Deletes uploads; what is gone already is fine. */
export async function discardUploads(files: Record<string, UploadedFile>): Promise<void> {
  await Promise.all(Object.values(files).map(({ path }) => rm(path, { force: true })));
}

/** Reads a multipart body (RFC 7578); see `parseBody`. `maxBytes` bounds all fields together. */
export async function readMultipart(
  req: IncomingMessage,
  maxBytes: number,
  limits?: FileLimits,
): Promise<{ fields: JsonObject; files: Record<string, UploadedFile> }> {
  const names = new NestedNames();
  const files: Record<string, UploadedFile> = {};
  const writes: Promise<unknown>[] = [];
  try {
    await parts(req, maxBytes, limits, {
      field: (name, value) => names.add(name, value),
      file: (name, file, stream) => {
        if (Object.hasOwn(files, name)) throw new RookeryError('bad_request', `Two files are named ${name}`);
        files[name] = file;
        const write = store(stream, file);
        writes.push(write);
        return write;
      },
    });
    await Promise.all(writes);
    const oversized = Object.values(files).some(({ size }) => limits && size > limits.maxBytes);
    if (oversized) throw tooLarge('The file is too large');
  } catch (error) {
    await Promise.allSettled(writes);
    await discardUploads(files);
    throw isRookeryError(error) || isDiskFull(error)
      ? error
      : new RookeryError('bad_request', 'The form is malformed or was cut off', { cause: error });
  }
  await dropUnchosen(files);
  return { fields: names.fields(), files };
}

const MAX_FIELDS = 1_000;
/** Bytes for boundaries and headers of parts. */
const OVERHEAD = 256_000;

interface Receiver {
  field: (name: string, value: string) => void;
  file: (name: string, file: UploadedFile, stream: Readable) => Promise<void>;
}

/** Hands every part to the receiver; settles when the body is read or at the first failure. */
function parts(
  req: IncomingMessage,
  maxBytes: number,
  limits: FileLimits | undefined,
  receiver: Receiver,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = parserFor(req, maxBytes, limits);
    const maxTotal = maxBytes + OVERHEAD + (limits ? limits.maxBytes * (limits.maxCount ?? 1) : 0);
    let total = 0;
    let fieldBytes = 0;
    const fail = (error: unknown): void => {
      req.unpipe(parser).off('data', onData).off('close', onClose);
      parser.destroy();
      // The rest is read and dropped, so that the client gets to read the reply.
      req.resume();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const guarded =
      <Arguments extends unknown[]>(handle: (...values: Arguments) => void) =>
      (...values: Arguments): void => {
        try {
          handle(...values);
        } catch (error) {
          fail(error);
        }
      };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total > maxTotal) fail(tooLarge('The body is too large'));
    };
    const onClose = (): void => {
      if (!req.complete) fail(new RookeryError('bad_request', 'The request was cut off'));
    };

    parser.on(
      'field',
      guarded((name: string | undefined, value: string, info: busboy.FieldInfo) => {
        fieldBytes += Buffer.byteLength(value) + (name?.length ?? 0);
        if (info.valueTruncated || fieldBytes > maxBytes) throw tooLarge('The body is too large');
        receiver.field(decoded(partName(name)), decoded(value));
      }),
    );
    parser.on(
      'file',
      guarded((given: string | undefined, stream: Readable, info: busboy.FileInfo) => {
        stream.on('error', () => undefined);
        stream.on('limit', () => fail(tooLarge('The file is too large')));
        if (!limits) throw new RookeryError('bad_request', 'This endpoint takes no files');
        const name = decoded(partName(given));
        assertText(name);
        assertKey(name);
        const filename = info.filename ?? '';
        assertText(filename);
        const path = join(limits.directory ?? tmpdir(), `rookery-upload-${randomUUID()}`);
        receiver.file(name, { path, filename, mimeType: info.mimeType, size: 0 }, stream).catch(fail);
      }),
    );
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => fail(new RookeryError('bad_request', 'The form has too many parts')));
    }
    parser.on('error', fail);
    parser.on('close', () => {
      req.off('data', onData).off('close', onClose);
      resolve();
    });
    req.on('error', fail);
    req.on('close', onClose);
    req.on('data', onData);
    req.pipe(parser);
  });
}

function parserFor(req: IncomingMessage, maxBytes: number, limits: FileLimits | undefined): busboy.Busboy {
  const maxFiles = limits ? (limits.maxCount ?? 1) : 1;
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      // One byte more than allowed, since the parser cuts a value that is exactly as long as the limit.
      limits: {
        fieldSize: maxBytes + 1,
        fileSize: (limits?.maxBytes ?? 0) + 1,
        files: maxFiles,
        fields: MAX_FIELDS,
        // A part without a name is neither a field nor a file.
        parts: MAX_FIELDS + maxFiles + 1,
      },
    });
  } catch (cause) {
    throw new RookeryError('bad_request', 'The form has no boundary', { cause });
  }
}

async function store(stream: Readable, file: UploadedFile): Promise<void> {
  const target = createWriteStream(file.path, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, target);
  file.size = target.bytesWritten;
}

/** A browser sends a nameless, empty file where no file was chosen. */
async function dropUnchosen(files: Record<string, UploadedFile>): Promise<void> {
  for (const [name, file] of Object.entries(files)) {
    if (file.filename !== '' || file.size > 0) continue;
    await rm(file.path, { force: true });
    delete files[name];
  }
}

function partName(name: string | undefined): string {
  if (!name) throw new RookeryError('bad_request', 'A part of the form has no name');
  return name;
}

/** The parser puts U+FFFD in the place of invalid bytes and keeps the bytes to itself, so a sent U+FFFD fails too. */
function decoded(text: string): string {
  if (text.includes('\ufffd')) throw new RookeryError('bad_request', 'Text is not valid UTF-8');
  return text;
}

const tooLarge = (message: string): RookeryError => new RookeryError('payload_too_large', message);
