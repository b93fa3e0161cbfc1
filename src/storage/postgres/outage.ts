/** True when the connection failed, not the statement: worth trying again. */
export function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  const message = error instanceof Error ? error.message : '';
  return (
    /^(08|57P|53)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '25P03'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(message)
  );
}

/** Failures of other connections have the same codes: where an error came from, itself does not tell. */
const outages = new WeakSet<object>();

/** Notes what the database threw, if it is one. @returns the error */
export function noteOutage(error: unknown): unknown {
  if (error instanceof Error && isConnectionError(error)) outages.add(error);
  return error;
}

/** Whether a request failed because the database could not be reached. */
export const isDatabaseOutage = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && outages.has(error);
