import { readFile, stat } from 'node:fs/promises';
import { RookeryError } from '#kernel/errors.ts';

/** The server's own pictures are the largest files that commands accept. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Returns the bytes of a file that a command names. @throws RookeryError `invalid` when it is too large */
export async function readFileOf(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_BYTES) throw new RookeryError('invalid', `${path} is larger than 8 MB`);
  return readFile(path);
}

/** Returns the bytes of a file, or of the standard input for `-`. @throws RookeryError `invalid` */
export async function readFileOrInput(path: string): Promise<Buffer> {
  if (path !== '-') return readFileOf(path);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > MAX_BYTES)
      throw new RookeryError('invalid', 'The input is larger than 8 MB');
  }
  return Buffer.concat(chunks);
}
