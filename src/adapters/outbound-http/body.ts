import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface BodyOptions {
  /** `Content-Encoding`. */
  encoding: string | undefined;
  /** Counted after decompression. */
  maxBytes: number;
  /** Keeps the first `maxBytes` instead of failing. */
  truncate: boolean;
  tooLarge: () => Error;
  /** Called with the bytes of each part. */
  took: (bytes: number) => void;
}

/** Reads a body up to its bound, decompressed. Does not fetch the rest. */
export async function readBody(body: Readable, options: BodyOptions): Promise<Buffer> {
  const { maxBytes, truncate, tooLarge, took } = options;
  const plain = decompressed(body, options.encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      chunks.push(chunk);
      took(chunk.length);
      if (size <= maxBytes) continue;
      if (!truncate) throw tooLarge();
      return Buffer.concat(chunks).subarray(0, maxBytes);
    }
    return Buffer.concat(chunks);
  } finally {
    // An interrupted stream emits errors without a listener.
    for (const stream of [plain, body]) stream.on('error', () => undefined).destroy();
  }
}

/** Writes a decompressed body to a file, and replaces an existing one. @throws `tooLarge()` past the bound */
export async function saveBody(
  body: Readable,
  path: string,
  { encoding, maxBytes, tooLarge }: Omit<BodyOptions, 'truncate' | 'took'>,
): Promise<void> {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
  try {
    await pipeline(decompressed(body, encoding), bounded, createWriteStream(path, { mode: 0o600 }));
  } finally {
    body.on('error', () => undefined).destroy();
  }
}

function decompressed(body: Readable, encoding = ''): Readable {
  const inflater = inflaterFor(encoding.trim().toLowerCase());
  if (!inflater) return body;
  body.on('error', (error) => inflater.destroy(error));
  return body.pipe(inflater);
}

/**
 * A truncated body counts as far as it goes, as in browsers: some servers omit the end of compressed data.
 */
function inflaterFor(encoding: string) {
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(zlib);
  if (encoding === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  if (encoding === 'deflate') return createInflate(zlib);
  return undefined;
}
