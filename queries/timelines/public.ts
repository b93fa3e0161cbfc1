import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound, signInNeeded } from '#kernel/errors.ts';
import { formBoolean, formStringArray } from '#kernel/input.ts';
import { ENDLESS, type KeysetStatement, keysetStatement, pageParameters } from '#kernel/paging.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { instanceSettings } from '../instance/index.ts';
import { listStatuses, PAGE_JOINS, type PageRow } from '../statuses/index.ts';
import { linkTrends } from '../trends/index.ts';
import {
  inLanguages,
  postedHere,
  PUBLIC_POST,
  shownInPublic,
  taggedBesides,
  withMedia,
} from './public-rules.ts';

const SHOWN = shownInPublic('$1');

/** The index has local and remote posts each in order, so that few among very many are found fast. */
const publicPosts = (name: string, media: boolean): KeysetStatement<PageRow> =>
  keysetStatement(
    name,
    (order) => {
      const some = (local: boolean): string => `
    (select s.id from statuses s ${PAGE_JOINS}
     where s.local = ${local} and $5::boolean is distinct from ${!local} and s.id < $2 and s.id > $3
       and ${PUBLIC_POST} and ${withMedia(String(media))} and ${inLanguages('$6')} and ${SHOWN}
     order by s.id ${order} limit $4)`;
      return `select id from (${some(true)} union all ${some(false)}) page order by id ${order} limit $4`;
    },
    ENDLESS,
  );
export const PUBLIC = publicPosts('timeline_public', false);
/** Posts with media have an index of their own, for the same reason. */
export const PUBLIC_MEDIA = publicPosts('timeline_public_media', true);
/** Selects a page of each hashtag, from which one page is made. */
const TAG = keysetStatement<{ id: string }>(
  'timeline_tag',
  (order) => `
    select tagged.id from (select distinct tag from unnest($8::text[]) as q (tag)) asked
    cross join lateral (
      select s.id from status_tags t join statuses s on s.id = t.status_id ${PAGE_JOINS}
      where t.tag = asked.tag and t.status_id < $2 and t.status_id > $3 and ${postedHere('$5')} and ${inLanguages('$6')}
        and ${withMedia('$7')} and ${taggedBesides('$9', '$10')} and ${SHOWN}
      order by t.status_id ${order} limit $4
    ) tagged
    group by tagged.id order by tagged.id ${order} limit $4`,
  ENDLESS,
);
/** Only posts of discoverable accounts, as in Mastodon. */
const LINK = keysetStatement<{ id: string }>(
  'timeline_link',
  (order) => `
    select s.id from status_links l join statuses s on s.id = l.status_id ${PAGE_JOINS}
    where l.link = sha256(convert_to($5, 'UTF8')) and l.status_id < $2 and l.status_id > $3
      and a.discoverable and ${SHOWN}
    order by l.status_id ${order} limit $4`,
  ENDLESS,
);

const filters = {
  local: formBoolean
    .optional()
    .describe('Whether only statuses of this server are listed; false by default.'),
  remote: formBoolean
    .optional()
    .describe('Whether only statuses of other servers are listed; false by default.'),
  only_media: formBoolean
    .optional()
    .describe('Whether only statuses with attachments are listed; false by default.'),
  languages: formStringArray(50, 35, { alone: true })
    .default([])
    .describe('Codes of languages; only statuses in one of them, or without a language, are listed.'),
  ...pageParameters(20, 40),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

/**
 * The maximum number of each kind that applies; the rest is ignored.
 * https://docs.joinmastodon.org/methods/timelines/#tag
 */
const MAX_TAGS = 4;
const tags = formStringArray(100, 500, { alone: true })
  .default([])
  .transform((names) => [...new Set(names.slice(0, MAX_TAGS).map(normalizeTag))]);

export const publicTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/public',
  summary: 'View the public timeline',
  auth: 'optional',
  scopes: ['read:statuses'],
  query: z.object(filters),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    await allowPreview(ctx);
    return listStatuses(ctx, query.only_media === true ? PUBLIC_MEDIA : PUBLIC, query, from(query));
  },
});

export const tagTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/tag/:hashtag',
  summary: 'View public statuses with a hashtag',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: z.object({ hashtag: z.string().max(500).describe('The hashtag without its number sign.') }),
  query: z.object({
    ...filters,
    any: tags.describe(
      `Further hashtags, of which the first ${MAX_TAGS} count; statuses with any of them are listed too.`,
    ),
    all: tags.describe(
      `Further hashtags, of which the first ${MAX_TAGS} count; only statuses with all of them are listed.`,
    ),
    none: tags.describe(
      `Hashtags, of which the first ${MAX_TAGS} count; statuses with one of them are left out.`,
    ),
  }),
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    await allowPreview(ctx);
    const tagged = [[normalizeTag(params.hashtag), ...query.any], query.all, query.none];
    const values = [...from(query), query.only_media === true, ...tagged];
    return listStatuses(ctx, TAG, query, values);
  },
});

/** Only a trending link has a timeline: https://docs.joinmastodon.org/methods/timelines/#link */
export const linkTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/link',
  summary: 'View public statuses with a preview card of a link',
  auth: 'optional',
  scopes: ['read:statuses'],
  query: z.object({
    url: z
      .string()
      .max(2_048)
      .optional()
      .catch(undefined)
      .describe('The address of a link that trends; any other gives 404.'),
    ...pageParameters(20, 40),
  }),
  reply: z.array(statusSchema),
  errors: [404],
  handler: async (ctx, { query }) => {
    await allowPreview(ctx);
    const { url } = query;
    if (url === undefined || !(await linkTrends(ctx.db, url))) throw notFound();
    return listStatuses(ctx, LINK, query, [url]);
  },
});

/** Returns $5 and $6: local or remote posts, and languages. */
function from({ local, remote, languages }: Filters): unknown[] {
  const both = (local === true) === (remote === true);
  return [both ? null : local === true, languages.length === 0 ? null : languages];
}

/** Throws RookeryError `unauthorized` when public timelines are for users only. */
async function allowPreview(ctx: RequestContext): Promise<void> {
  if (ctx.viewer) return;
  const { timeline_preview } = await instanceSettings(ctx.db);
  if (!timeline_preview) throw signInNeeded();
}
