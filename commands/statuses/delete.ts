import { z } from 'zod';
import { interactionStream } from '#events/interactions.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean, idParams } from '#kernel/input.ts';
import { deletedStatusSchema } from '#mastodon/schemas/index.ts';
import { mediaInEvidence } from '#queries/reports/index.ts';
import { ownStatus, sourceText } from '#queries/statuses/index.ts';
import { releaseMedia, removeUnattached } from '../media/index.ts';
import { interaction } from './interaction.ts';
import { decideUnreblog } from './reblog.ts';
import { decideEndReplyRequest } from './requests.ts';
import { requireOwnPost, type Status, status } from './status.ts';

/** Deletes a post, or a reblog by its own id. */
export const deleteStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  summary: 'Delete a status',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  query: z.object({
    delete_media: formBoolean
      .optional()
      .describe(
        'Whether the attachments are deleted too; by default they stay for a while, for a new status.',
      ),
  }),
  limit: 'deletes',
  reply: deletedStatusSchema,
  handler: async (ctx, { params: { id }, query }) => {
    // Rendered before the deletion; the decision below counts.
    const own = await ownStatus(ctx, id);
    const text = await sourceText(ctx, own);
    const me = ctx.viewer.account_id;
    const { reblog_of_id: original, reblog_account_id: author } = own;
    if (original !== null && author !== null) {
      const target = { account_id: me, status_id: original, status_account_id: author };
      await ctx.execute(interactionStream(me, original), interaction, (state) =>
        decideUnreblog(state, target),
      );
    } else {
      await deletePost(ctx, id, { withMedia: query.delete_media === true });
    }
    return { text };
  },
});

/**
 * Deletes a post. Its uploads are released at once for a redraft, or removed. After a stop, the reactor
 * `status-media` releases them, and they are removed a day later.
 */
async function deletePost(
  ctx: UserContext,
  id: string,
  { withMedia }: { withMedia: boolean },
): Promise<void> {
  const { state } = await ctx.execute(statusStream(id), status, (before) =>
    decideDelete(before, ctx.viewer.account_id),
  );
  const media = state.state === 'none' ? [] : state.data.media.map((each) => each.id);
  await releaseMedia(ctx, media, id);
  if (!withMedia) return;
  // Evidence of reports and appeals is removed after the decision.
  const held = await mediaInEvidence(ctx.db, media, ctx.now);
  const removed = media.filter((each) => !held.has(each));
  await Promise.all(removed.map((each) => removeUnattached(ctx, each)));
}

/** Deletes only the author's own post, and only once. Pure. @throws RookeryError `not_found` */
export function decideDelete(state: Status, accountId: string): StatusEvent[] {
  if (state.state === 'requested' && state.data.account_id === accountId) {
    return decideEndReplyRequest(state, 'withdrawn');
  }
  const { id, account_id, visibility, in_reply_to_id } = requireOwnPost(state, accountId);
  return [{ type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } }];
}
