import { RookeryError } from './errors.ts';

/** Something that was recorded is not what it was: the log, a read model, or a backup. */
class Altered extends RookeryError {}

/** Returns the error for a record that was altered, which the command line tells from other refusals. */
export const altered = (message: string, cause?: unknown): RookeryError =>
  new Altered('conflict', message, { cause });

export const isAltered = (error: unknown): error is RookeryError => error instanceof Altered;
