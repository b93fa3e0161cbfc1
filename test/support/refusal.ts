import { isRookeryError } from '../../src/kernel/errors.ts';

/** @returns code and message of the `RookeryError` that the work throws, undefined when it throws none; others go on */
export function refusal(work: () => unknown): [code: string, message: string] | undefined {
  try {
    work();
  } catch (error) {
    if (isRookeryError(error)) return [error.code, error.message];
    throw error;
  }
  return undefined;
}

/** The same without the message. */
export const refusalCode = (work: () => unknown): string | undefined => refusal(work)?.[0];
