import { trendReviewStream, type TrendSubject } from '#events/trends.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import {
  adminTrendsLinkSchema,
  adminTrendsStatusSchema,
  previewCardProviderSchema,
} from '#mastodon/schemas/index.ts';
import {
  adminLinkText,
  adminStatusText,
  linkOfId,
  publisherOfId,
  publisherText,
  trendableStatus,
} from '#queries/trends/index.ts';
import { useCase } from '../use-case.ts';
import { decideTrendReview, trendReview } from './trend-review.ts';

/** As in Mastodon, whose documentation has only the lists. */
const shared = {
  method: 'POST',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_taxonomies',
  params: idParams,
} as const;

export const approveTrendingStatus = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/statuses/:id/approve',
  summary: 'Let a post be among the trends',
  reply: adminTrendsStatusSchema,
  handler: (ctx, { params }) => reviewStatus(ctx, params.id, true),
});

export const rejectTrendingStatus = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/statuses/:id/reject',
  summary: 'Keep a post from the trends',
  reply: adminTrendsStatusSchema,
  handler: (ctx, { params }) => reviewStatus(ctx, params.id, false),
});

export const approveTrendingLink = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/links/:id/approve',
  summary: 'Let a link be among the trends',
  reply: adminTrendsLinkSchema,
  handler: (ctx, { params }) => reviewLink(ctx, params.id, true),
});

export const rejectTrendingLink = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/links/:id/reject',
  summary: 'Keep a link from the trends',
  reply: adminTrendsLinkSchema,
  handler: (ctx, { params }) => reviewLink(ctx, params.id, false),
});

export const approvePublisher = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/links/publishers/:id/approve',
  summary: 'Let the links of a publisher be among the trends',
  reply: previewCardProviderSchema,
  handler: (ctx, { params }) => reviewPublisher(ctx, params.id, true),
});

export const rejectPublisher = endpoint({
  ...shared,
  path: '/api/v1/admin/trends/links/publishers/:id/reject',
  summary: 'Keep the links of a publisher from the trends',
  reply: previewCardProviderSchema,
  handler: (ctx, { params }) => reviewPublisher(ctx, params.id, false),
});

async function reviewStatus(ctx: UserContext, id: string, trendable: boolean): Promise<Reply> {
  const key = await trendableStatus(ctx, id);
  await reviewTrend(ctx, { subject: 'status', key, trendable });
  return { text: await adminStatusText(ctx, key) };
}

async function reviewLink(ctx: UserContext, id: string, trendable: boolean): Promise<Reply> {
  const key = await linkOfId(ctx, id);
  await reviewTrend(ctx, { subject: 'link', key, trendable });
  return { text: await adminLinkText(ctx, key) };
}

async function reviewPublisher(ctx: UserContext, id: string, trendable: boolean): Promise<Reply> {
  const key = await publisherOfId(ctx, id);
  await reviewTrend(ctx, { subject: 'publisher', key, trendable });
  return { text: await publisherText(ctx, key) };
}

/** Records the decision of staff; `key` is that of `TrendReviewed`. */
export const reviewTrend = useCase({
  stream: ({ subject, key }: { subject: TrendSubject; key: string; trendable: boolean }) =>
    trendReviewStream(subject, key),
  decider: trendReview,
  decide: decideTrendReview,
  step: ({ subject, key }) => `${subject} ${key}`,
});
