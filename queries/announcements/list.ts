import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { announcementSchema } from '#mastodon/schemas/index.ts';
import { announcementsFor } from './find.ts';

/**
 * https://docs.joinmastodon.org/methods/announcements/#get. Dismissed announcements have `read: true`, as in
 * Mastodon, unless the request says `with_dismissed=false`.
 */
export const listAnnouncements = endpoint({
  method: 'GET',
  path: '/api/v1/announcements',
  summary: 'View announcements',
  auth: 'user',
  scopes: [],
  query: z.object({
    with_dismissed: formBoolean
      .optional()
      .describe('Whether announcements that the user dismissed are included; true by default.'),
  }),
  reply: z.array(announcementSchema),
  handler: async (ctx, { query }) => {
    const withDismissed = query.with_dismissed !== false;
    const found = await announcementsFor(ctx.db, ctx.instance, ctx.viewer.account_id, { withDismissed });
    return { text: jsonArray(found) };
  },
});
