import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { isDiskFull, isRookeryError, RookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { assertKey, assertText, NestedNames } from './nested-names.ts';

export interface FileLimits {
  /** Bytes of one file. */
  maxBytes: number;
  /** Files in one request; the default is 1. */
  maxCount?: number;
  /** The folder of uploads; the default is the system's temporary folder. */
  directory?: string;
  /**
   * For a form of a page, which is shown again whatever its files are: a file that is too large is cut off one
   * byte past the limit, files past the maximum count are dropped, and those named `file[]` become `file[0]`,
   * `file[1]`.
   */
  lenient?: true;
  /** Reads the fields alone: the files of strangers are not stored. */
  dropped?: true;
}

/** An uploaded file on the local disk. Name and type are the client's claims. */
export interface UploadedFile {
  path: string;
  filename: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** Deletes uploads; ignores missing files. */
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
      file: (given, file, stream) => {
        const name = limits?.lenient ? numbered(given, Object.keys(files).length) : given;
        if (Object.hasOwn(files, name)) throw new RookeryError('bad_request', `Two files are named ${name}`);
        files[name] = file;
        const write = store(stream, file);
        writes.push(write);
        return write;
      },
    });
    await Promise.all(writes);
    const oversized = Object.values(files).some(
      ({ size }) => limits && !limits.lenient && size > limits.maxBytes,
    );
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

const numbered = (name: string, index: number): string =>
  name.endsWith('[]') ? `${name.slice(0, -2)}[${index}]` : name;

const MAX_FIELDS = 1_000;
/** Bytes for boundaries and headers of parts. */
const OVERHEAD = 256_000;

interface PartReceiver {
  field: (name: string, value: string) => void;
  file: (name: string, file: UploadedFile, stream: Readable) => Promise<void>;
}

/** Hands every part to the receiver; settles when the body is read or at the first failure. */
const parts = (
  req: IncomingMessage,
  maxBytes: number,
  limits: FileLimits | undefined,
  receiver: PartReceiver,
): Promise<void> => new MultipartReader(req, maxBytes, limits, receiver).read();

class MultipartReader {
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  readonly #limits: FileLimits | undefined;
  readonly #receiver: PartReceiver;
  readonly #parser: busboy.Busboy;
  readonly #done = Promise.withResolvers<undefined>();
  #total = 0;
  #fieldBytes = 0;

  constructor(
    req: IncomingMessage,
    maxBytes: number,
    limits: FileLimits | undefined,
    receiver: PartReceiver,
  ) {
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#limits = limits;
    this.#receiver = receiver;
    this.#parser = parserFor(req, maxBytes, limits);
  }

  read(): Promise<void> {
    const [req, parser] = [this.#req, this.#parser];
    parser.on('field', (...part) => this.#attempt(() => this.#onField(...part)));
    parser.on('file', (...part) => this.#attempt(() => this.#onFile(...part)));
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      if (event === 'filesLimit' && this.#limits?.lenient) continue;
      parser.on(event, () => this.#fail(new RookeryError('bad_request', 'The form has too many parts')));
    }
    parser.on('error', this.#fail);
    parser.on('close', () => {
      req.off('data', this.#onData).off('close', this.#onClose);
      this.#done.resolve(undefined);
    });
    req.on('error', this.#fail);
    req.on('close', this.#onClose);
    req.on('data', this.#onData);
    req.pipe(parser);
    return this.#done.promise;
  }

  #onField(name: string | undefined, value: string, info: busboy.FieldInfo): void {
    this.#fieldBytes += Buffer.byteLength(value) + (name?.length ?? 0);
    if (info.valueTruncated || this.#fieldBytes > this.#maxBytes) throw tooLarge('The body is too large');
    this.#receiver.field(decoded(partName(name)), decoded(value));
  }

  #onFile(given: string | undefined, stream: Readable, info: busboy.FileInfo): void {
    stream.on('error', () => undefined);
    if (!this.#limits) throw new RookeryError('bad_request', 'This endpoint takes no files');
    if (this.#limits.dropped) return void stream.resume();
    if (!this.#limits.lenient) stream.on('limit', () => this.#fail(tooLarge('The file is too large')));
    const name = decoded(partName(given));
    assertText(name);
    assertKey(name);
    const filename = info.filename ?? '';
    assertText(filename);
    const path = join(this.#limits.directory ?? tmpdir(), `rookery-upload-${randomUUID()}`);
    const file = { path, filename, mimeType: info.mimeType, size: 0 };
    this.#receiver.file(name, file, stream).catch(this.#fail);
  }

  #attempt(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail = (error: unknown): void => {
    this.#req.unpipe(this.#parser).off('data', this.#onData).off('close', this.#onClose);
    this.#parser.destroy();
    // Its rest is bounded when the reply is sent: `unread-bodies.ts`.
    this.#req.pause();
    this.#done.reject(error instanceof Error ? error : new Error(String(error)));
  };

  #onData = (chunk: Buffer): void => {
    this.#total += chunk.length;
    const { maxBytes, maxCount = 1 } = this.#limits ?? { maxBytes: 0 };
    if (this.#total > this.#maxBytes + OVERHEAD + maxBytes * maxCount) {
      this.#fail(tooLarge('The body is too large'));
    }
  };

  #onClose = (): void => {
    if (!this.#req.complete) this.#fail(new RookeryError('bad_request', 'The request was cut off'));
  };
}

function parserFor(req: IncomingMessage, maxBytes: number, limits: FileLimits | undefined): busboy.Busboy {
  const maxFiles = limits ? (limits.maxCount ?? 1) : 1;
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      // One byte more than allowed, because the parser cuts a value of exactly the limit.
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

/** Deletes the nameless, empty file that a browser sends when the user chose none. */
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

/** The parser replaces invalid bytes by U+FFFD and drops them, so a sent U+FFFD is refused too. */
function decoded(text: string): string {
  if (text.includes('\ufffd')) throw new RookeryError('bad_request', 'Text is not valid UTF-8');
  return text;
}

const tooLarge = (message: string): RookeryError => new RookeryError('payload_too_large', message);
