import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gunzip, gzip } from 'node:zlib';
import { altered } from '#kernel/altered.ts';
import { isDiskFull, RookeryError } from '#kernel/errors.ts';
import { ignoreMissing } from '#kernel/files.ts';
import type { SealingBox } from '#kernel/master-key.ts';
import type { BackupFile } from './manifest.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * Writes lines to a gzipped file at the speed of the disk, and asks for one page of them at a time. With a box, each page is
 * sealed, and is one line of the file.
 */
export async function writeLines(
  dir: string,
  name: string,
  pages: AsyncIterable<readonly string[]>,
  box?: SealingBox,
): Promise<BackupFile> {
  let rows = 0;
  const tally = digesting();
  async function* texts(): AsyncGenerator<Buffer> {
    for await (const page of pages) {
      rows += page.length;
      const text = Buffer.from(page.map((line) => `${line}\n`).join(''));
      yield box ? Buffer.from(`${box.seal(await pack(text), name).toString('base64')}\n`) : text;
    }
  }
  const path = join(dir, name);
  await pipeline(
    Readable.from(texts(), { objectMode: false }),
    createGzip(),
    tally.pass,
    createWriteStream(path, { mode: 0o600, flush: true }),
  ).catch(namingPath(path));
  const sealed = box ? { sealed: true } : {};
  return { name, rows, bytes: tally.bytes(), sha256: tally.sha256(), ...sealed };
}

/** @throws RookeryError `conflict` when a file differs from the one in the manifest */
export async function assertIntact(dir: string, files: readonly BackupFile[]): Promise<void> {
  for (const { name, sha256 } of files) {
    const path = join(dir, name);
    if ((await sha256Of(path)) !== sha256) throw altered(`${path} is not what was backed up`);
  }
}

/** Returns the SHA-256 of a file, in hexadecimal; that of no bytes for a missing file. */
export async function sha256Of(path: string): Promise<string> {
  const tally = digesting();
  await pipeline(createReadStream(path), tally.pass, async (rest) => {
    for await (const _chunk of rest);
  }).catch(ignoreMissing);
  return tally.sha256();
}

/** For `catch`: names the file of a full disk, which the error of the system does not. @throws Error always */
export const namingPath =
  (path: string) =>
  (error: unknown): never => {
    throw isDiskFull(error) ? new Error(`No space left to write ${path}`, { cause: error }) : error;
  };

/**
 * Yields the lines of a backup file, at most so many at a time.
 * @param box for a sealed file
 * @throws RookeryError `conflict` when the box does not open it
 */
export async function* readLines(
  dir: string,
  file: BackupFile,
  atOnce: number,
  box?: SealingBox,
): AsyncGenerator<string[]> {
  if (file.sealed !== true) {
    yield* readStored(dir, file, atOnce);
    return;
  }
  for await (const [page = ''] of readStored(dir, file, 1)) {
    const text = (await unpack(opened(page, file, box))).toString();
    const lines = text.replace(/\n$/, '').split('\n');
    for (let from = 0; from < lines.length; from += atOnce) yield lines.slice(from, from + atOnce);
  }
}

function opened(page: string, { name }: BackupFile, box: SealingBox | undefined): Buffer {
  const sealed = Buffer.from(page, 'base64');
  if (box?.opens(sealed, name) === true) return box.unseal(sealed, name);
  throw new RookeryError(
    'conflict',
    `The master key does not decrypt ${name}: use the keys.json of the time of the backup`,
  );
}

async function* readStored(dir: string, { name }: BackupFile, atOnce: number): AsyncGenerator<string[]> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(join(dir, name)), unpacked);
  // The loop below throws the error.
  reading.catch(() => undefined);
  let page: string[] = [];
  for await (const line of splitLines(unpacked)) {
    page.push(line);
    if (page.length < atOnce) continue;
    yield page;
    page = [];
  }
  await reading;
  if (page.length > 0) yield page;
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Counts and hashes the passing bytes. */
export function digesting(): {
  pass: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  bytes: () => number;
  sha256: () => string;
} {
  const hash = createHash('sha256');
  let bytes = 0;
  let digest: string | undefined;
  return {
    async *pass(source) {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    bytes: () => bytes,
    sha256: () => (digest ??= hash.digest('hex')),
  };
}
