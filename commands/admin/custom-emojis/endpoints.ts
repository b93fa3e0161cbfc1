import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { importEmoji, updateEmoji } from '#commands/custom-emojis/index.ts';
import { MAX_CATEGORY_LENGTH } from '#events/custom-emojis.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, parameterMissing } from '#kernel/errors.ts';
import { formBoolean, idParams } from '#kernel/input.ts';
import { adminCustomEmojiSchema } from '#mastodon/schemas/index.ts';
import { MAX_SHORTCODE_LENGTH } from '#mastodon/shortcodes.ts';
import { adminEmojiOf } from '#queries/admin/custom-emojis.ts';
import { deleteCustomEmoji } from './delete.ts';

/** Mastodon changes emojis on web pages, and has no API for it. */
const staff = { auth: 'user', scopes: ['admin:write'], permission: 'manage_custom_emojis' } as const;

const looks = {
  category: z
    .string()
    .max(MAX_CATEGORY_LENGTH)
    .nullish()
    .describe('The category that pickers show it in; an empty value for none.'),
  visible_in_picker: formBoolean
    .optional()
    .describe('Whether pickers offer it; it works in texts all the same. True for a new one.'),
};

export const createCustomEmoji = endpoint({
  ...staff,
  method: 'POST',
  path: '/api/v1/admin/custom_emojis',
  summary: 'Create a custom emoji from a picture',
  body: z.object({
    shortcode: z
      .string()
      .max(MAX_SHORTCODE_LENGTH + 2)
      .nullish()
      .describe('Its name: two or more letters, digits and underscores, with or without colons.'),
    ...looks,
    overwrite: formBoolean
      .optional()
      .describe('Whether it replaces an emoji of the same name, which is refused otherwise.'),
  }),
  requires: ['shortcode'],
  files: {
    maxBytes: 256 * 1024,
    maxCount: 1,
    fields: { image: { description: 'The picture: PNG, GIF or WebP, of at most 256 kB.', required: true } },
  },
  limit: 'media',
  reply: adminCustomEmojiSchema,
  handler: async (ctx, { body, files }) => {
    const shortcode = (body.shortcode ?? '').trim().replaceAll(':', '');
    if (!files['image']) throw parameterMissing('image');
    const data = await readFile(files['image'].path);
    const { category, visible_in_picker } = body;
    const emoji = {
      shortcode,
      data,
      category: category?.trim() || null,
      visible_in_picker: visible_in_picker !== false,
    };
    if (!(await importEmoji(ctx, emoji, { overwrite: body.overwrite === true }))) {
      throw invalid('Validation failed: Shortcode has already been taken', {
        shortcode: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
      });
    }
    return { json: await adminEmojiOf(ctx, { shortcode }) };
  },
});

export const updateCustomEmoji = endpoint({
  ...staff,
  method: 'PUT',
  path: '/api/v1/admin/custom_emojis/:id',
  summary: 'Change a custom emoji',
  params: idParams,
  body: z.object({
    ...looks,
    disabled: formBoolean.optional().describe('Whether it is plain text in posts, as if it were not there.'),
  }),
  reply: adminCustomEmojiSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const { shortcode } = await adminEmojiOf(ctx, { id });
    const { category, visible_in_picker, disabled } = body;
    await updateEmoji(ctx, {
      shortcode,
      ...(category === undefined ? {} : { category: category?.trim() || null }),
      ...(typeof visible_in_picker === 'boolean' ? { visible_in_picker } : {}),
      ...(typeof disabled === 'boolean' ? { disabled } : {}),
    });
    return { json: await adminEmojiOf(ctx, { id }) };
  },
});

export const adminCustomEmojiCommands = [createCustomEmoji, updateCustomEmoji, deleteCustomEmoji];
