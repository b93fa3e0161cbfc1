import { asyncRefreshHeader } from '../../src/kernel/services/async-refresh.ts';
import type { RequestContext } from '../../src/kernel/context.ts';

/** The job that asks the server of a post for its replies. */
export const FETCH_REPLIES = 'fetch-replies';

/** Milliseconds between two times that replies to one post are asked for. */
const PAUSE = 15 * 60_000;
/** Seconds. */
const RETRY = 5;

/**
 * Has the server of a post asked for replies that are not known here, unless it was lately. As in Mastodon that is done for users
 * alone, who are told by a header how it goes.
 */
export async function askForReplies(
  { services, viewer }: RequestContext,
  statusId: string,
): Promise<Record<string, string>> {
  if (!viewer) return {};
  const begun = await services.asyncRefreshes.begin(`context:${statusId}`, { pause: PAUSE, counts: true });
  if (!begun) return {};
  const { refresh } = begun;
  if (begun.begun) {
    const job = { status_id: statusId, refresh_id: refresh.id };
    await services.jobs.enqueue(FETCH_REPLIES, job, { singletonKey: statusId });
  }
  return asyncRefreshHeader(refresh, RETRY);
}
