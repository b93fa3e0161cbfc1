import { markOutage } from '#kernel/outage.ts';

/** Tells whether the connection failed, not the statement, so that a retry makes sense. */
export function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: string } | null | undefined)?.code ?? '';
  // A message of Postgres may quote the values of a statement.
  const message = error instanceof Error && code === '' ? error.message : '';
  return (
    /^(08|57P|53)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '25P03'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(message)
  );
}

/** Marks an error of the database as an outage when its connection failed. Returns the error. */
export const noteOutage = (error: unknown): unknown =>
  error instanceof Error && isConnectionError(error) ? markOutage(error) : error;
