import { VoteCast } from '../events/polls.ts';
import { federatePollResults } from '../interfaces/federation/activities/index.ts';
import type { JobDefinition } from '../adapters/jobs/handler.ts';
import { reactor } from '../kernel/reactor.ts';

const POLL_RESULTS = 'poll-results';
/** As Mastodon, in seconds: what is voted meanwhile is told together, so a poll is told of no more often. */
const TOLD_AFTER = 180;

/** Other servers are told how a poll stands, some time after somebody votes. */
export const votesCast = reactor({
  name: 'poll-votes',
  on: [VoteCast],
  ignores: (_event, { deliveries }) => deliveries.none,
  react: async (ctx, { data: { poll_id: pollId, status_id: statusId } }) => {
    const options = { singletonKey: pollId, after: TOLD_AFTER };
    await ctx.services.jobs.enqueue(POLL_RESULTS, { status_id: statusId }, options);
  },
});

/** Tells how a poll stands by now. */
export const pollResults: JobDefinition = {
  name: POLL_RESULTS,
  work: async (ctx, { status_id: statusId }) => {
    if (typeof statusId === 'string') await federatePollResults(ctx, statusId);
  },
};
