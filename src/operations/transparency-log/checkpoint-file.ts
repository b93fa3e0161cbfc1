import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreMissing, makeFolder, replaceFile } from '#kernel/files.ts';
import type { Db } from '#kernel/read.ts';
import { type NotedCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { newestCheckpoint } from './stored-checkpoints.ts';

/**
 * The newest checkpoint in a file outside of the database: an end of the log that was cut off together with
 * its stored checkpoints is found by it.
 */
export class CheckpointFile {
  readonly path: string;
  #writing: Promise<unknown> = Promise.resolve();
  #recording: Promise<unknown> = Promise.resolve();

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

  /** Writes the whole note or nothing, after earlier writes. */
  write(note: string): Promise<void> {
    const written = this.#writing.then(async () => {
      await makeFolder(dirname(this.path));
      await replaceFile(this.path, note, 0o644);
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Runs what stores a checkpoint and writes the file afterwards; `recorded` waits for it. */
  during<T>(recording: () => Promise<T>): Promise<T> {
    const done = recording();
    this.#recording = Promise.allSettled([this.#recording, done]);
    return done;
  }

  /** Waits until each checkpoint that this process is storing is in the file as well. */
  async recorded(): Promise<void> {
    await this.#recording;
  }

  /** Forgets the checkpoint of a log that the operator gives up: after a restore, and after an accepted loss. */
  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

/**
 * Says that the file is gone though the log has checkpoints; undefined otherwise. A lost end of the log could not be found
 * then, so only the operator makes the file anew.
 */
export async function missingFile(db: Db, file: CheckpointFile | undefined): Promise<string | undefined> {
  if (!file || (await file.text()) !== undefined || !(await newestCheckpoint(db))) return undefined;
  await file.recorded();
  if ((await file.text()) !== undefined) return undefined;
  return `The file ${file.path} is gone, though the log has checkpoints: rookery log checkpoint writes it again`;
}
