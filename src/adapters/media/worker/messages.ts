import { type ErrorCode, type ErrorExtras, isRookeryError, RookeryError } from '#kernel/errors.ts';
import type { TaskName } from './tasks.ts';

/** From the server: a task, or the cancellation of one. */
export type Request = { id: number; task: TaskName; args: unknown[] } | { id: number; cancelled: true };

/** From the worker. */
export type Reply = { id: number; result: unknown } | { id: number; failure: Failure };

interface Failure {
  message: string;
  /** For a `RookeryError`. */
  known?: { code: ErrorCode; extras: ErrorExtras };
  /** For an error of the system. */
  systemCode?: string;
}

/** Describes an error in a form that can be sent to another process. */
export function toFailure(error: unknown): Failure {
  if (isRookeryError(error)) {
    const { cause: _, ...extras } = error.extras;
    return { message: error.message, known: { code: error.code, extras } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return { message, ...(typeof code === 'string' ? { systemCode: code } : {}) };
}

/** Recreates the error in the receiving process. */
export function toError({ message, known, systemCode }: Failure): Error {
  if (known) return new RookeryError(known.code, message, known.extras);
  return Object.assign(new Error(message), systemCode === undefined ? {} : { code: systemCode });
}
