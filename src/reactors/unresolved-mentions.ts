import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { RESOLVE_MENTIONS, resolveMentions, resolveMentionsLater } from '#commands/federation/index.ts';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

/** Fetches accounts that posts mention and that could not be fetched immediately. */
export const unresolvedMentions = reactor({
  name: 'unresolved-mentions',
  on: [StatusCreated, StatusEdited],
  ignores: ({ data: { unresolved_mentions: uris = [] } }) => uris.length === 0,
  react: (ctx, { data }) => resolveMentionsLater(ctx, data),
});

/** Fetches these accounts from other servers. */
export const resolveUnresolvedMentions: JobDefinition = {
  name: RESOLVE_MENTIONS,
  running: 4,
  outside: 64,
  work: async (ctx, data, { signal }) => {
    await resolveMentions(ctx, data, signal);
  },
};
