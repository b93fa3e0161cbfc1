import { z } from 'zod';
import { unauthorized } from '../../src/kernel/errors.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { formBoolean, formStringArray } from '../../src/kernel/input.ts';
import { normalizeTag } from '../../src/kernel/normalize-tag.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import type { RequestContext } from '../../src/kernel/context.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { instanceSettings } from '../instance/index.ts';
import { listStatuses, PAGE_JOINS, pageVisibleTo, pageWantedBy } from '../statuses/index.ts';

/** `local` and `remote` are three-valued: null for both kinds. Reblogs are in no public timeline. */
const PUBLIC = keysetStatement(
  'timeline_public',
  (order) => `
    select s.id from statuses s ${PAGE_JOINS}
    where s.id < $2 and s.id > $3 and s.visibility = 'public' and s.reblog_of_id is null
      and ${pageVisibleTo('$1')} and ${pageWantedBy('$1')}
      and ($5::boolean is null or s.local = $5) and (not $6::boolean or s.media is not null)
      and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    order by s.id ${order} limit $4`,
);
const TAG = keysetStatement(
  'timeline_tag',
  (order) => `
    select s.id from (
      select distinct t.status_id as id from status_tags t where t.tag = any($6::text[])
        and t.status_id < $2 and t.status_id > $3
    ) tagged join statuses s on s.id = tagged.id ${PAGE_JOINS}
    where s.visibility = 'public' and ${pageVisibleTo('$1')} and ${pageWantedBy('$1')}
      and ($5::boolean is null or s.local = $5)
      and (select count(*) from status_tags t where t.status_id = s.id and t.tag = any($7::text[])) = cardinality($7)
      and not exists (select from status_tags t where t.status_id = s.id and t.tag = any($8::text[]))
      and (not $9::boolean or s.media is not null)
    order by s.id ${order} limit $4`,
);

const filters = {
  local: formBoolean.optional(),
  remote: formBoolean.optional(),
  only_media: formBoolean.optional(),
  ...pageParameters(20, 40),
};
const tags = formStringArray(4, 200).default([]);

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
    await ctx.settle([MAIN]);
    return listStatuses(ctx, PUBLIC, query, [locality(query), query.only_media === true]);
  },
});

export const tagTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/tag/:hashtag',
  summary: 'View public statuses with a hashtag',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: z.object({ hashtag: z.string().max(500) }),
  query: z.object({ ...filters, any: tags, all: tags, none: tags }),
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    await allowPreview(ctx);
    await ctx.settle([MAIN]);
    return listStatuses(ctx, TAG, query, [
      locality(query),
      [params.hashtag, ...query.any].map(normalizeTag),
      [...new Set(query.all.map(normalizeTag))],
      query.none.map(normalizeTag),
      query.only_media === true,
    ]);
  },
});

function locality({
  local,
  remote,
}: {
  local?: boolean | null | undefined;
  remote?: boolean | null | undefined;
}) {
  if (local === true && remote !== true) return true;
  return remote === true && local !== true ? false : null;
}

/** @throws RookeryError `unauthorized` when public timelines are for users only */
async function allowPreview(ctx: RequestContext): Promise<void> {
  if (ctx.token) return;
  const { timeline_preview } = await instanceSettings(ctx.db);
  if (!timeline_preview) throw unauthorized('This method requires an authenticated user');
}
