import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Plain files in POSIX ustar archives, as much of it as collections of pictures need. */
export interface TarFile {
  /** With the folders that it is in. */
  name: string;
  size: number;
  /** Undefined where the file is larger than was asked for. */
  data: Buffer | undefined;
}

const BLOCK = 512;
/** Old archives say nothing. */
const REGULAR = new Set(['0', '']);

/**
 * The files of a gzipped archive, one at a time; what is larger than `maxBytes` is passed over without being kept. Folders,
 * links and extended headers are left out. @throws Error for what is no such archive, or one that is cut off
 */
export async function* readTarGz(path: string, maxBytes: number): AsyncGenerator<TarFile> {
  const blocks = new Blocks(path);
  try {
    for (;;) {
      const header = await blocks.take(BLOCK);
      if (!header || header.every((byte) => byte === 0)) return;
      const file = await readEntry(header, blocks, maxBytes);
      if (file) yield file;
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'Z_DATA_ERROR') throw error;
    throw new Error('Not a tar.gz archive', { cause: error });
  } finally {
    blocks.close();
  }
}

/** A file to be written: its bytes, or a stream of as many as `size` says. */
export type NewTarFile = { name: string } & ({ data: Buffer } | { size: number; stream: Readable });

export interface TarGzOptions {
  /** The file's permissions. */
  mode?: number;
  /** Transforms the gzipped bytes before they are written. */
  seal?: Transform | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a gzipped archive of files, which are asked for one at a time. Names: ASCII, at most 100 characters; less than 8 GiB each.
 * @throws Error for a stream of another size
 */
export async function writeTarGz(
  path: string,
  files: AsyncIterable<NewTarFile>,
  { mode = 0o644, seal = new PassThrough(), signal }: TarGzOptions = {},
): Promise<void> {
  async function* archive(): AsyncGenerator<Buffer> {
    for await (const file of files) {
      const size = 'data' in file ? file.data.length : file.size;
      try {
        yield headerOf(file.name, size);
        if ('data' in file) yield file.data;
        else yield* exactly(file.stream, size, file.name);
      } finally {
        // A file that is not written, for want of disk or time, is closed here.
        if ('stream' in file) file.stream.destroy();
      }
      yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
    }
    yield Buffer.alloc(2 * BLOCK);
  }
  await pipeline(
    Readable.from(archive(), { objectMode: false }),
    createGzip(),
    seal,
    createWriteStream(path, { mode }),
    signal ? { signal } : {},
  );
}

async function* exactly(stream: Readable, size: number, name: string): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== size) throw new Error(`${name} has ${read} bytes instead of ${size}`);
}

/** Reads the file of a header and the blocks after it; undefined for anything but a plain file. */
async function readEntry(header: Buffer, blocks: Blocks, maxBytes: number): Promise<TarFile | undefined> {
  assertChecksum(header);
  const [name, size] = [nameIn(header), sizeIn(header)];
  const padding = (BLOCK - (size % BLOCK)) % BLOCK;
  const isPlain = REGULAR.has(textIn(header, 156, 1));
  if (!isPlain || size > maxBytes) {
    await blocks.skip(size + padding);
    return isPlain ? { name, size, data: undefined } : undefined;
  }
  const data = await blocks.take(size);
  if (!data) throw new Error('The archive is cut off');
  await blocks.skip(padding);
  return { name, size, data };
}

/** The unpacked bytes of a file, in the pieces that are asked for. */
class Blocks {
  readonly #source: Readable;
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    const file = createReadStream(path);
    const unpacked = createGunzip();
    file.on('error', (error) => unpacked.destroy(error));
    this.#source = file.pipe(unpacked);
    this.#chunks = this.#source[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /** Undefined when the end comes before. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      parts.push(next.value);
      length += next.value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts, length);
    this.#rest = all.subarray(size);
    return all.subarray(0, size);
  }

  async skip(size: number): Promise<void> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) throw new Error('The archive is cut off');
        this.#rest = next.value;
      }
      const passed = Math.min(left, this.#rest.length);
      this.#rest = this.#rest.subarray(passed);
      left -= passed;
    }
  }

  close(): void {
    this.#source.destroy();
  }
}

const textIn = (header: Buffer, start: number, length: number): string => {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
};

function nameIn(header: Buffer): string {
  const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155) : '';
  return prefix === '' ? textIn(header, 0, 100) : `${prefix}/${textIn(header, 0, 100)}`;
}

function sizeIn(header: Buffer): number {
  const text = textIn(header, 124, 12).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw new Error('Not a tar archive');
  return parseInt(text, 8);
}

/** The sum of all bytes, those of the sum itself counted as spaces. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);

function assertChecksum(header: Buffer): void {
  const text = textIn(header, 148, 8).trim();
  if (!/^[0-7]{1,7}$/.test(text) || parseInt(text, 8) !== checksumOf(header)) {
    throw new Error('Not a tar archive');
  }
}

function headerOf(name: string, size: number): Buffer {
  if (!/^[\x20-\x7e]{1,100}$/.test(name)) throw new Error(`Not a name for an archive: ${name}`);
  const header = Buffer.alloc(BLOCK);
  if (size >= 8 ** 11) throw new Error(`Too large for an archive: ${name}`);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  header.write(name, 0, 'latin1');
  header.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1');
  header.write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148, 'latin1');
  return header;
}
