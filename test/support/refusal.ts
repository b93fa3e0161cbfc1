import { isRookeryError } from '#kernel/errors.ts';

/**
 * Returns the code and message of the `RookeryError` that the work throws, or undefined when it throws none.
 * Rethrows other errors.
 */
export function refusal(work: () => unknown): [code: string, message: string] | undefined {
  try {
    work();
  } catch (error) {
    if (isRookeryError(error)) return [error.code, error.message];
    throw error;
  }
  return undefined;
}

/** Returns the code alone. */
export const refusalCode = (work: () => unknown): string | undefined => refusal(work)?.[0];
