import { RookeryError } from './errors.ts';

/** Something that was recorded is not what it was: the log, a read model, or a backup. */
class Altered extends RookeryError {}

/** Returns the error for a record that was altered, which the command line tells from other refusals. */
export const altered = (message: string, cause?: unknown): RookeryError =>
  new Altered('conflict', message, { cause });

export const isAltered = (error: unknown): error is RookeryError => error instanceof Altered;

/** Evidence that was given could not be compared with the record. */
class NotCompared extends RookeryError {}

/** Returns the error for evidence that could not be compared, which neither agrees nor contradicts. */
export const notCompared = (message: string): RookeryError => new NotCompared('conflict', message);

export const isNotCompared = (error: unknown): error is RookeryError => error instanceof NotCompared;
