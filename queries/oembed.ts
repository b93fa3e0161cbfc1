import { z } from 'zod';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { formInteger } from '#kernel/input.ts';
import { isOwnAddress } from '#kernel/own-address.ts';
import { statement } from '#kernel/read.ts';
import { escapeHtml } from '#mastodon/html.ts';
import { visibleTo } from './visibility/statuses.ts';

const POST = statement<Row>(
  'oembed_post',
  `select a.username, a.display_name, a.url as author_url, coalesce(s.url, s.uri) as url
   from statuses s join accounts a on a.id = s.account_id
   where s.id = $1 and s.local and s.reblog_of_id is null and a.username = $3
     and s.visibility in ('public', 'unlisted') and ${visibleTo('$2::bigint')}`,
);

interface Row {
  username: string;
  display_name: string;
  author_url: string;
  url: string;
}

/** https://docs.joinmastodon.org/methods/oembed/, and the format itself: https://oembed.com */
const oembedSchema = z
  .strictObject({
    type: z.literal('rich'),
    version: z.literal('1.0'),
    title: z.string(),
    author_name: z.string(),
    author_url: z.url(),
    provider_name: z.string(),
    provider_url: z.url(),
    cache_age: z.int(),
    html: z.string(),
    width: z.int(),
    height: z.int().nullable(),
  })
  .meta({ id: 'OEmbedResponse' });

const DEFAULT_WIDTH = 400;
/** Seconds. */
const CACHE_AGE = 86_400;

/**
 * Shows a public local post on other sites. The HTML is a quotation with a link: it needs no frame, no script
 * and shows nothing that is deleted later.
 */
export const showOembed = endpoint({
  method: 'GET',
  path: '/api/oembed',
  summary: 'Describe a post for embedding elsewhere',
  auth: 'public',
  scopes: [],
  query: z.object({
    url: z
      .string()
      .max(2_048)
      .optional()
      .catch(undefined)
      .describe('The web address of a public status of this server; any other gives 404.'),
    maxwidth: formInteger(1, 100_000)
      .optional()
      .catch(undefined)
      .describe(`The largest width in pixels; ${DEFAULT_WIDTH} by default, and never more.`),
    maxheight: formInteger(1, 100_000)
      .optional()
      .catch(undefined)
      .describe(
        'The largest height in pixels, which the reply repeats; without it the height follows from the text.',
      ),
  }),
  reply: oembedSchema,
  errors: [404],
  handler: async (ctx, { query }) => {
    const place = query.url === undefined ? undefined : linkedStatusOf(query.url, ctx.instance);
    if (!place) throw notFound();
    const [row] = await ctx.db.query(POST, [place.id, null, place.username]);
    if (!row) throw notFound();
    const name = row.display_name === '' ? row.username : row.display_name;
    const { origin, domain } = ctx.instance;
    const url = escapeHtml(row.url);
    return {
      json: {
        type: 'rich',
        version: '1.0',
        title: `New status by ${row.username}`,
        author_name: name,
        author_url: row.author_url,
        provider_name: domain,
        provider_url: `${origin}/`,
        cache_age: CACHE_AGE,
        html: `<blockquote class="mastodon-embed" cite="${url}"><a href="${url}">${escapeHtml(`Post by @${row.username}@${domain}`)}</a></blockquote>`,
        width: Math.min(query.maxwidth ?? DEFAULT_WIDTH, DEFAULT_WIDTH),
        height: query.maxheight ?? null,
      },
    };
  },
});

/** Returns the local post of a web address or an ActivityPub id. */
function linkedStatusOf(text: string, instance: Instance): { username: string; id: string } | undefined {
  const url = URL.parse(text);
  if (!url || !isOwnAddress(url, instance)) return undefined;
  const [, username, id] = /^\/(?:@|users\/)(\w{1,30})\/(?:statuses\/)?(\d+)\/?$/.exec(url.pathname) ?? [];
  return username !== undefined && id !== undefined && isId(id) ? { username, id } : undefined;
}

export const oembedQueries = [showOembed];
