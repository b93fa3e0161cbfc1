/** Another server's statement is not trusted, or not accepted. The message is for logs. */
export class RemoteError extends Error {
  /** The HTTP status, if that is the reason. */
  readonly status: number | undefined;

  constructor(message: string, { status }: { status?: number } = {}) {
    super(message);
    this.name = 'RemoteError';
    this.status = status;
  }
}

/** A host was asked as often as the work that asks it may. */
export class BudgetSpent extends RemoteError {
  constructor() {
    super('was asked often enough');
  }
}

/** Returns true if another server replied that it is overloaded or broken at the moment. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof RemoteError && error.status !== undefined && (error.status >= 500 || error.status === 429);

/** Returns true if another server is the cause: it cannot be reached, or its reply is refused. */
export const isRemoteError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'RemoteError' || error.name === 'FetchError');

/** For optional results: returns undefined if another server is the cause. @throws any other error */
export function ignoreRemoteError(error: unknown): undefined {
  if (!isRemoteError(error)) throw error;
}

/** Returns true if another server was not reached, and may be later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && PASSING.includes(String(error.code));

const PASSING = ['unreachable', 'timeout', 'cancelled'];

/**
 * Returns undefined if another server refused, or is not trusted. @throws any other error, also if it cannot
 * be reached
 */
export function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof RemoteError)) throw error;
}
