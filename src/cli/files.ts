import { readFile, stat } from 'node:fs/promises';
import { RookeryError } from '../kernel/errors.ts';

/** Pictures of the server are the largest that it takes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The bytes of a file that a command is given. @throws RookeryError `invalid` for a large one */
export async function readFileOf(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_BYTES) throw new RookeryError('invalid', `${path} is larger than 8 MB`);
  return readFile(path);
}
