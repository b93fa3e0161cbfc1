import { z } from 'zod';
import { tagStream } from '#events/tags.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { formBoolean, idParams } from '#kernel/input.ts';
import { MAX_TAG_LENGTH } from '#mastodon/normalize-tag.ts';
import { adminTagSchema } from '#mastodon/schemas/index.ts';
import { adminTagText, tagOfId } from '#queries/trends/index.ts';
import { useCase } from '../use-case.ts';
import { decideChangeTag, type TagChanges, tagReview } from './tag-review.ts';

const shared = {
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_taxonomies',
  params: idParams,
  reply: adminTagSchema,
} as const;

/** As in Mastodon, whose documentation has the list of trends only. */
export const approveTag = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/v1/admin/trends/tags/:id/approve',
  summary: 'Let a hashtag be among the trends',
  handler: (ctx, { params }) => change(ctx, params.id, { trendable: true }),
});

export const rejectTag = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/v1/admin/trends/tags/:id/reject',
  summary: 'Keep a hashtag from the trends',
  handler: (ctx, { params }) => change(ctx, params.id, { trendable: false }),
});

/** The spelling may differ in upper case and accents, which do not matter for finding it. */
export const changeTag = endpoint({
  ...shared,
  method: 'PUT',
  path: '/api/v1/admin/tags/:id',
  summary: 'Change how a hashtag is spelled, and whether it may be among the trends',
  body: z.object({
    display_name: z
      .string()
      .max(MAX_TAG_LENGTH)
      .nullish()
      .describe('Another spelling of the same hashtag, which may differ in case and accents.'),
    trendable: formBoolean.nullish().describe('Whether the hashtag may appear among the trends.'),
  }),
  handler: (ctx, { params, body }) =>
    change(ctx, params.id, {
      ...(body.display_name == null ? {} : { name: body.display_name.trim().replace(/^#/, '') }),
      ...(body.trendable == null ? {} : { trendable: body.trendable }),
    }),
});

/** Changes the review of a hashtag by staff, by its normal name. */
export const reviewTag = useCase({
  stream: ({ tag }: { tag: string; changes: TagChanges }) => tagStream(tag),
  decider: tagReview,
  decide: (state, { tag, changes }) => decideChangeTag(state, tag, changes),
  step: ({ tag }) => tag,
});

async function change(ctx: UserContext, id: string, changes: TagChanges): Promise<Reply> {
  const tag = await tagOfId(ctx, id);
  await reviewTag(ctx, { tag, changes });
  return { text: await adminTagText(ctx, tag) };
}
