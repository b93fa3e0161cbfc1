/** Returns the code of the error that the work fails with, or its message when it has no code. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error as { code?: string }).code ?? (error as Error).message,
  );
