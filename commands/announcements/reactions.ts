import { z } from 'zod';
import { type AnnouncementReaderEvent, announcementReaderStream } from '#events/announcements.ts';
import type { Instance, UserContext } from '#kernel/context.ts';
import type { Reply } from '#kernel/endpoint.ts';
import { idParam } from '#kernel/input.ts';
import { MAIN } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { emojiOf } from '#mastodon/emoji.ts';
import { isShortcode } from '#mastodon/shortcodes.ts';
import { requirePublished } from '#queries/announcements/index.ts';
import { countQuota, executeWithinQuota, type Quota } from '../quotas/index.ts';
import { type AnnouncementReader, announcementReader, checkReactionLimit } from './reader.ts';

/** The common declaration of adding and removing; the name is an emoji, or the shortcode of a custom one. */
export const reactionEndpoint = {
  auth: 'user',
  scopes: ['write:favourites'],
  params: z.object({
    id: idParam.describe('The ID of the announcement.'),
    name: z
      .string()
      .min(1)
      .max(100)
      .describe('The emoji itself, or the shortcode of a custom emoji without colons.'),
  }),
  defers: [MAIN],
  reply: z.strictObject({}),
} as const;

type Decide = (
  state: AnnouncementReader,
  reader: { announcement_id: string; account_id: string },
) => AnnouncementReaderEvent[];

/** @throws RookeryError `not_found`, and the decision's errors */
export async function changeReactions(
  ctx: UserContext,
  announcementId: string,
  decide: Decide,
): Promise<Reply> {
  const { id, reactions } = await requirePublished(ctx.db, announcementId);
  const reader = { announcement_id: id, account_id: ctx.viewer.account_id };
  await executeWithinQuota(ctx, {
    stream: announcementReaderStream(reader.account_id, id),
    decider: announcementReader,
    decide: (state) => decide(state, reader),
    quota: reactionQuota(ctx.db, id, reactions),
  });
  return { json: {} };
}

/** `known` are the existing distinct reactions: joining one of them takes no place. */
const reactionQuota = (
  db: Db,
  announcementId: string,
  known: readonly string[],
): Quota<AnnouncementReader, number> =>
  countQuota({
    name: 'announcement-reactions',
    ownerId: announcementId,
    added: (before, after) =>
      [...after.reactions].find((name) => !before.reactions.has(name) && !known.includes(name)),
    besides: async (names) => {
      const { reactions } = await requirePublished(db, announcementId);
      return reactions.filter((name) => !names.includes(name)).length;
    },
    check: checkReactionLimit,
  });

/** Returns the name under which an emoji is stored; undefined for an unknown or deleted one. */
export function recognizedEmoji(name: string, { emojis }: Instance): string | undefined {
  if (isShortcode(name) && emojis.json(name) !== undefined) return name;
  return emojiOf(name);
}
