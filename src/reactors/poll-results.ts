import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { VoteCast } from '#events/polls.ts';
import { federatePollResults } from '#interfaces/federation/outbox/index.ts';
import { reactor } from '#kernel/reactor.ts';

const POLL_RESULTS = 'poll-results';
/** Seconds, as in Mastodon: votes of this period are announced together. */
const TOLD_AFTER = 180;

/** Announces the results of a poll to other servers, some time after a vote. */
export const votesCast = reactor({
  name: 'poll-votes',
  on: [VoteCast],
  ignores: (_event, { deliveries }) => deliveries.none,
  react: async (ctx, { data: { poll_id: pollId, status_id: statusId } }) => {
    const options = { singletonKey: pollId, after: TOLD_AFTER };
    await ctx.services.jobs.enqueue(POLL_RESULTS, { status_id: statusId }, options);
  },
});

/** Announces the present result of a poll. */
export const pollResults: JobDefinition = {
  name: POLL_RESULTS,
  work: async (ctx, { status_id: statusId }) => {
    if (typeof statusId === 'string') await federatePollResults(ctx, statusId);
  },
};
