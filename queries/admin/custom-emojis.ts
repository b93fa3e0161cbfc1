import { z } from 'zod';
import { MAX_CATEGORY_LENGTH } from '#events/custom-emojis.ts';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import {
  type AdminCustomEmoji,
  adminCustomEmojiSchema,
  type AdminEmojiCategory,
  adminEmojiCategorySchema,
} from '#mastodon/schemas/index.ts';
import type { CustomEmojiRow } from '#projections/custom-emojis.ts';

const COLUMNS = 'e.id, e.shortcode, e.category, e.visible_in_picker, e.disabled, e.image, e.static_image';
const PAGE = keysetStatement<CustomEmojiRow>(
  'admin_custom_emojis',
  (order) => `
    select ${COLUMNS} from custom_emojis e
    where $1::bigint is not null and e.id < $2 and e.id > $3
      and ($5::text is null or position($5 in lower(e.shortcode)) > 0)
      and ($6::text is null or e.category = $6) and ($7::bool is null or e.disabled = $7)
    order by e.id ${order} limit $4`,
);
const ONE = statement<CustomEmojiRow>(
  'admin_custom_emoji',
  `select ${COLUMNS} from custom_emojis e where e.id = $1 or e.shortcode = $2`,
);
const CATEGORIES = statement<AdminEmojiCategory>(
  'admin_emoji_categories',
  `select category, count(*)::int as emojis_count from custom_emojis
   group by category order by category nulls last limit 1000`,
);

const entity = (
  { image, static_image, ...emoji }: CustomEmojiRow,
  { mediaOrigin }: Instance,
): AdminCustomEmoji => ({
  ...emoji,
  url: `${mediaOrigin}/${image}`,
  static_url: `${mediaOrigin}/${static_image}`,
});

/** Finds an emoji by its id or its shortcode. @throws RookeryError `not_found` */
export async function adminEmojiOf(
  { db, instance }: { db: Db; instance: Instance },
  { id, shortcode }: { id?: Id; shortcode?: string },
): Promise<AdminCustomEmoji> {
  const [row] = await db.query(ONE, [id ?? null, shortcode ?? null]);
  if (!row) throw notFound();
  return entity(row, instance);
}

const staff = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_custom_emojis',
} as const;

export const listEmojiCategories = endpoint({
  ...staff,
  path: '/api/v1/admin/custom_emojis/categories',
  summary: 'List the categories of custom emojis, with their numbers',
  reply: z.array(adminEmojiCategorySchema),
  handler: async ({ db }) => ({ json: await db.query(CATEGORIES) }),
});

const blankIsNone = (text: string): string | null => text.trim() || null;

export const listAdminCustomEmojis = endpoint({
  ...staff,
  path: '/api/v1/admin/custom_emojis',
  summary: 'List all custom emojis of this server, the newest first, unlisted and disabled ones too',
  query: z.object({
    shortcode: z
      .string()
      .max(200)
      .transform((text) => blankIsNone(text.replaceAll(':', '').toLowerCase()))
      .nullish()
      .describe('Only emojis whose shortcode contains this text.'),
    category: z
      .string()
      .max(MAX_CATEGORY_LENGTH)
      .transform(blankIsNone)
      .nullish()
      .describe('Only emojis of this category.'),
    status: z
      .enum(['enabled', 'disabled', ''])
      .nullish()
      .describe('Only emojis that are enabled, or disabled.'),
    ...pageParameters(50, 200),
  }),
  reply: z.array(adminCustomEmojiSchema),
  handler: async (ctx, { query }) => {
    const disabled = query.status ? query.status === 'disabled' : null;
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id, [
      ...[query.shortcode ?? null, query.category ?? null, disabled],
    ]);
    return { json: rows.map((row) => entity(row, ctx.instance)), page };
  },
});

export const showAdminCustomEmoji = endpoint({
  ...staff,
  path: '/api/v1/admin/custom_emojis/:id',
  summary: 'Get a single custom emoji of this server',
  params: idParams,
  reply: adminCustomEmojiSchema,
  handler: async (ctx, { params: { id } }) => ({ json: await adminEmojiOf(ctx, { id }) }),
});

export const adminCustomEmojiQueries = [listEmojiCategories, listAdminCustomEmojis, showAdminCustomEmoji];
