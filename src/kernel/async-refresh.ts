import type { AsyncRefresh } from './services.ts';

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
