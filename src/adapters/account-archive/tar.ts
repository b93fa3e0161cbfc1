import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, pipeline as connect, Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';

/** A plain file of an archive. */
export interface TarFile {
  /** The path in the archive. */
  name: string;
  size: number;
  /** Undefined for a file larger than `maxBytes`. */
  data: Buffer | undefined;
}

/** Allows archives from before POSIX. The types of tar-stream lack the option. */
const ANY_FORMAT: object = { allowUnknownFormat: true };

/**
 * Yields the plain files of a gzipped archive one at a time, without folders and links.
 * @throws Error for a file that is not such an archive or is cut off
 */
export async function* readTarGz(path: string, maxBytes: number): AsyncGenerator<TarFile> {
  const archive = extract(ANY_FORMAT);
  // An error destroys the archive, so the loop below throws it.
  connect(createReadStream(path), createGunzip(), archive, () => undefined);
  try {
    for await (const entry of archive) {
      const { name, size, type } = entry.header;
      const wanted = type === 'file' && size <= maxBytes;
      const data = wanted ? await buffer(entry) : void entry.resume();
      if (type === 'file') yield { name, size, data };
    }
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'Z_DATA_ERROR') throw new Error('Not a tar.gz archive', { cause: error });
    // Errors of tar-stream have no code.
    if (code === undefined) throw new Error('Not a tar archive', { cause: error });
    throw error;
  }
}

/** A new file: its bytes, or a stream of exactly `size` bytes. */
export type NewTarFile = { name: string } & ({ data: Buffer } | { size: number; stream: Readable });

export interface TarGzOptions {
  /** The permissions of the archive. */
  mode?: number;
  /** Transforms the gzipped bytes before they are written. */
  seal?: Transform | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a gzipped archive, and asks for one file at a time.
 * @throws Error for a stream of another size than stated
 */
export async function writeTarGz(
  path: string,
  files: AsyncIterable<NewTarFile>,
  { mode = 0o644, seal = new PassThrough(), signal }: TarGzOptions = {},
): Promise<void> {
  const archive = pack();
  const added = addFiles(archive, files).catch((error: unknown) => archive.destroy(error as Error));
  try {
    await pipeline(archive, createGzip(), seal, createWriteStream(path, { mode }), signal ? { signal } : {});
  } finally {
    await added;
  }
}

async function addFiles(archive: Pack, files: AsyncIterable<NewTarFile>): Promise<void> {
  for await (const file of files) {
    const { size, stream } =
      'data' in file ? { size: file.data.length, stream: Readable.from([file.data]) } : file;
    try {
      await pipeline(stream, archive.entry({ name: file.name, size, mtime: new Date(0) }));
    } finally {
      stream.destroy();
    }
  }
  archive.finalize();
}
