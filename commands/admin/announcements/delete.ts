import { z } from 'zod';
import { deleteAnnouncement } from '#commands/announcements/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';

/** Mastodon does this on web pages, and has no API for it. */
export const deleteAdminAnnouncement = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/announcements/:id',
  summary: 'Delete an announcement, with the reactions to it',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_announcements',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await deleteAnnouncement(ctx, id);
    return { json: {} };
  },
});
