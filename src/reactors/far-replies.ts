import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { fetchReplies } from '#commands/federation/index.ts';
import { FETCH_REPLIES } from '#queries/statuses/index.ts';

/** Asks other servers for replies to a post that a user views. */
export const fetchFarReplies: JobDefinition = {
  name: FETCH_REPLIES,
  running: 4,
  outside: 64,
  work: async (ctx, { status_id: statusId, refresh_id: refreshId }, { signal }) => {
    if (typeof statusId !== 'string' || typeof refreshId !== 'string') return;
    await fetchReplies(ctx, { statusId, refreshId }, signal);
  },
};
