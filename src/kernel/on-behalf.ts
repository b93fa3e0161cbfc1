/** The owner of queued work, and how long it matters. */
export interface OnBehalf {
  /** The account or host that is counted; the server's own work has none. */
  owner?: string | undefined;
  /** Drops the work while it waits, for instance when the client has disconnected. */
  signal?: AbortSignal | undefined;
  /** The work is a job, which was admitted before: the bounds of the queue do not apply. */
  isJob?: boolean;
}

/** Returns the owner and signal of a request's work. */
export const onBehalfOf = ({
  viewer,
  signal,
}: {
  viewer: { account_id: string };
  signal: AbortSignal;
}): OnBehalf => ({ owner: viewer.account_id, signal });
