import { z } from 'zod';
import { announcementReaderStream } from '#events/announcements.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { MAIN } from '#kernel/projection.ts';
import { requirePublished } from '#queries/announcements/index.ts';
import { announcementReader, decideDismiss } from './reader.ts';

/** https://docs.joinmastodon.org/methods/announcements/#dismiss. A repeat succeeds. */
export const dismissAnnouncement = endpoint({
  method: 'POST',
  path: '/api/v1/announcements/:id/dismiss',
  summary: 'Mark an announcement as read',
  auth: 'user',
  scopes: ['write:accounts'],
  params: idParams,
  defers: [MAIN],
  reply: z.strictObject({}),
  handler: async (ctx, { params }) => {
    const { id } = await requirePublished(ctx.db, params.id);
    const reader = { announcement_id: id, account_id: ctx.viewer.account_id };
    await ctx.execute(announcementReaderStream(reader.account_id, id), announcementReader, (state) =>
      decideDismiss(state, reader),
    );
    return { json: {} };
  },
});
