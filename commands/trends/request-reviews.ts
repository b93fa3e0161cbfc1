import { MAX_REVIEWS, trendReviewRequestsStream } from '#events/trends.ts';
import type { CommandContext } from '#kernel/context.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { type WaitingTrend, waitingTrends } from '#queries/trends/index.ts';
import { decideRequestReviews, reviewRequests } from './review-requests.ts';

/** Asks staff to review high trends, each once, unless trends are shown without a review. */
export async function requestReviews(ctx: CommandContext): Promise<void> {
  const { trendable_by_default } = await instanceSettings(ctx.db);
  if (trendable_by_default) return;
  const trends = await waitingTrends(ctx.db, ctx.instance);
  await askForReviews(
    ctx,
    trends.filter(({ asked, high }) => high && !asked),
  );
}

/** Asks about the first of each kind; about the others the next time. */
export async function askForReviews(
  ctx: CommandContext,
  trends: readonly Pick<WaitingTrend, 'subject' | 'key' | 'name'>[],
): Promise<void> {
  const of = (subject: WaitingTrend['subject']) =>
    trends.filter((trend) => trend.subject === subject).slice(0, MAX_REVIEWS);
  const asking = {
    tags: of('tag').map(({ key, name }) => ({ tag: key, name })),
    statuses: of('status').map(({ key }) => key),
    links: of('link').map(({ key }) => key),
  };
  const stream = trendReviewRequestsStream(ctx.now.slice(0, 10));
  await ctx.execute(stream, reviewRequests, (state) => decideRequestReviews(state, asking));
}
