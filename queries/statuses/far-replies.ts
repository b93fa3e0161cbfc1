import type { RequestContext } from '#kernel/context.ts';
import { asyncRefreshHeader } from '#kernel/services/async-refresh.ts';

/** The job that fetches the replies of a post from its server. */
export const FETCH_REPLIES = 'fetch-replies';

/** Milliseconds between two fetches of the replies to one post. */
const PAUSE = 15 * 60_000;
/** Seconds. */
const RETRY = 5;

/**
 * Fetches unknown replies from the server of a post, unless that was done lately. As in Mastodon, only users
 * trigger it, and a header tells them the progress.
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
