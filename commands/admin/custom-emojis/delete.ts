import { z } from 'zod';
import { deleteEmoji } from '#commands/custom-emojis/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminEmojiOf } from '#queries/admin/custom-emojis.ts';

/** Mastodon does this on web pages, and has no API for it. */
export const deleteCustomEmoji = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/custom_emojis/:id',
  summary: 'Delete a custom emoji; texts then show its shortcode',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_custom_emojis',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { shortcode } = await adminEmojiOf(ctx, { id });
    await deleteEmoji(ctx, shortcode);
    return { json: {} };
  },
});
