/** Another server's statement is not trusted, or not accepted. The message is for logs. */
export class RemoteError extends Error {
  /** The HTTP status, where that is the reason. */
  readonly status: number | undefined;

  constructor(message: string, { status }: { status?: number } = {}) {
    super(message);
    this.name = 'RemoteError';
    this.status = status;
  }
}

/** Returns true where another server answered that it is overloaded or broken at the moment. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof RemoteError && error.status !== undefined && (error.status >= 500 || error.status === 429);

/** Whether another server is the reason why something failed: it cannot be asked, or what it says is refused. */
export const isRemoteError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'RemoteError' || error.name === 'FetchError');

/** For what may as well not be had: undefined where another server is the reason. @throws all else */
export function ignoreRemoteError(error: unknown): undefined {
  if (!isRemoteError(error)) throw error;
}

/** Whether another server was not reached, and may be later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && PASSING.includes(String(error.code));

const PASSING = ['unreachable', 'timeout', 'cancelled'];

/** Returns undefined where another server said no, or something that is not believed. @throws all else, also where it cannot be asked */
export function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof RemoteError)) throw error;
}
