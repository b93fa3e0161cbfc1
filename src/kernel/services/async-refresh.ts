/** Work in the background that brings new results: https://docs.joinmastodon.org/entities/AsyncRefresh/ */
export interface AsyncRefresh {
  /** Known to those alone who were given it. */
  id: string;
  status: 'running' | 'finished';
  /** How much it has brought so far; null where that is not counted. */
  result_count: number | null;
}

/** Background work that clients can wait for: durable for a day, never in the log. */
export interface AsyncRefreshes {
  /**
   * Begins the refresh that a key names. Returns the running one if there is one, and none if it ended less
   * than `pause` milliseconds ago. `begun`: it is new, and the caller has to do the work. A refresh without
   * an end counts as ended after a while.
   */
  begin(
    key: string,
    options: { pause: number; counts: boolean },
  ): Promise<{ refresh: AsyncRefresh; begun: boolean } | undefined>;
  /** The refresh that a key names, while it is running. */
  running(key: string): Promise<AsyncRefresh | undefined>;
  find(id: string): Promise<AsyncRefresh | undefined>;
  /** It has brought one result more. */
  count(id: string): Promise<void>;
  finish(id: string): Promise<void>;
}

/**
 * The header that tells a client of a refresh, and after how many seconds to ask again.
 * https://docs.joinmastodon.org/methods/async_refreshes/#show
 */
export const asyncRefreshHeader = (
  { id, result_count }: AsyncRefresh,
  retry: number,
): Record<string, string> => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retry}${result_count === null ? '' : `, result_count=${result_count}`}`,
});
