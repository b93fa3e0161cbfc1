import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { customEmojiSchema } from '#mastodon/schemas/index.ts';
import { fillOrigins } from '../entities/ready-json.ts';

/**
 * https://docs.joinmastodon.org/methods/custom_emojis/. Unlisted emojis are left out; they work in texts
 * only.
 */
export const listCustomEmojis = endpoint({
  method: 'GET',
  path: '/api/v1/custom_emojis',
  summary: 'View the emojis of this server',
  auth: 'public',
  scopes: [],
  reply: z.array(customEmojiSchema),
  handler: ({ instance }) => Promise.resolve({ text: fillOrigins(instance.emojis.listed(), instance) }),
});
