import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { FETCH_ANCESTOR, fetchAncestor, linkReplies } from '#commands/federation/index.ts';
import { StatusCreated } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

/**
 * Links remote posts with the posts that they reply to, in either order of arrival. One at a time: see
 * `linkReplies`.
 */
export const replyLinks = reactor({
  name: 'reply-links',
  on: [StatusCreated],
  concurrency: 1,
  ignores: ({ data }) => data.local,
  react: async (ctx, { data }, { signal }) => {
    await linkReplies(ctx, data, signal);
  },
});

/** Fetches the posts that incoming posts reply to. */
export const fetchAncestors: JobDefinition = {
  name: FETCH_ANCESTOR,
  running: 4,
  outside: 64,
  work: async (ctx, data, { signal }) => {
    await fetchAncestor(ctx, data, signal);
  },
};
