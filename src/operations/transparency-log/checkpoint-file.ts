import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreMissing, makeFolder } from '../../kernel/files.ts';
import { parseCheckpoint, type NotedCheckpoint } from './checkpoint.ts';

/**
 * The newest checkpoint in a file outside of the database: an end of the log that was cut off together with
 * its stored checkpoints is found by it.
 */
export class CheckpointFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns undefined without a file. @throws RookeryError `invalid` when it is no checkpoint */
  async read(): Promise<NotedCheckpoint | undefined> {
    const text = await this.text();
    return text === undefined ? undefined : parseCheckpoint(text);
  }

  text(): Promise<string | undefined> {
    return readFile(this.path, 'utf8').catch(ignoreMissing);
  }

  /** Writes the whole note or nothing. */
  async write(note: string): Promise<void> {
    await makeFolder(dirname(this.path));
    const temporary = `${this.path}.part`;
    const file = await open(temporary, 'w', 0o644);
    try {
      await file.writeFile(note);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.path);
  }

  /** Forgets the checkpoint of a log that the operator gives up: after a restore, and after an accepted loss. */
  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}
