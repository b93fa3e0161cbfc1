import type { TrendReviewsRequestedEvent } from '#events/trends.ts';
import type { CommandContext } from '#kernel/context.ts';
import { waitingTrends } from '#queries/trends/index.ts';
import { trendReviewMail } from '../mails/index.ts';
import { mailStaff } from './mail-staff.ts';

/**
 * Mails the staff who may decide about trends: one mail for the part of a request that still trends and
 * waits. The read models must contain the request.
 * @throws as `mailStaff`
 */
export async function mailTrendReviews(
  ctx: CommandContext,
  { tags, statuses, links }: TrendReviewsRequestedEvent['data'],
): Promise<void> {
  const requested = new Set([
    ...tags.map(({ tag }) => `tag ${tag}`),
    ...statuses.map((id) => `status ${id}`),
  ]);
  for (const key of links) requested.add(`link ${key}`);
  const waiting = await waitingTrends(ctx.db, ctx.instance);
  const trends = waiting.filter(({ subject, key }) => requested.has(`${subject} ${key}`));
  if (trends.length === 0) return;
  const { domain, origin } = ctx.instance;
  await mailStaff(ctx, 'manage_taxonomies', trendReviewMail({ domain, origin, trends }));
}
