/** The account that work waits for in a queue, and how long it matters. */
export interface OnBehalf {
  /** The account or host whose places are counted; work of the server itself has none. */
  owner?: string | undefined;
  /** Drops the work while it waits, as when the client has gone. */
  signal?: AbortSignal | undefined;
  /** Waits behind any number of others: the work is a job, which was admitted before. */
  isJob?: boolean;
}

/** The work of a request, for its user and while the client is there. */
export const onBehalfOf = ({
  viewer,
  signal,
}: {
  viewer: { account_id: string };
  signal: AbortSignal;
}): OnBehalf => ({ owner: viewer.account_id, signal });
