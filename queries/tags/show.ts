import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { tagSchema } from '#mastodon/schemas/index.ts';
import { parseTagName, type TagName } from '#mastodon/tag-name.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';

const SHOW = statement<TagRow>(
  'tag_show',
  `select ${tagColumns('t.tag', '$2')} from (select $1::text as tag) t`,
);

/** The path parameter `:name`: a hashtag without `#`. Other text names no tag, so it is not found. */
export const tagNameParams = z.object({
  name: z
    .string()
    .max(1_024)
    .transform((text, problems): TagName => {
      const parsed = parseTagName(text);
      if (parsed?.name === text) return parsed;
      problems.addIssue('is no hashtag');
      return z.NEVER;
    })
    .describe('The hashtag without its number sign.'),
});

/** Returns a hashtag as ready JSON; an unused one has an empty history. */
export async function tagText(ctx: RequestContext, { name, normal }: TagName): Promise<string> {
  const [row] = await ctx.db.query(SHOW, [normal, ctx.viewer?.account_id ?? null]);
  if (!row) throw notFound();
  return fillOrigins(tagJson(row, ctx.viewer !== undefined, name), ctx.instance);
}

/** https://docs.joinmastodon.org/methods/tags/#get */
export const showTag = endpoint({
  method: 'GET',
  path: '/api/v1/tags/:name',
  summary: 'View a hashtag',
  auth: 'optional',
  scopes: [],
  params: tagNameParams,
  reply: tagSchema,
  handler: async (ctx, { params }) => {
    return { text: await tagText(ctx, params.name) };
  },
});
