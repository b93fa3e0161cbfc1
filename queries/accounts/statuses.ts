import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { firstOf, formBoolean, idParams } from '#kernel/input.ts';
import { type KeysetStatement, keysetStatement, pageParameters } from '#kernel/paging.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { listStatuses, PAGE_JOINS, type PageRow, pageVisibleTo } from '../statuses/index.ts';
import { notMutedBy } from '../visibility/statuses.ts';
import { requireAccount } from './known.ts';

/** A page of another account leaves out reblogs of accounts that the viewer would not see elsewhere. */
const REBLOG_WANTED = `(s.reblog_of_id is null or s.account_id = $1
      or ${notMutedBy('$1', { author: 'oa' })})`;
const REPLY_WANTED = `(not $6::boolean or (s.in_reply_to_id is null and s.in_reply_to_uri is null)
        or s.in_reply_to_account_id = s.account_id)`;
const statusesOf = (name: string, kind: string): KeysetStatement<PageRow> =>
  keysetStatement(
    name,
    (order) => `
    select s.id from statuses s ${PAGE_JOINS}
    where s.account_id = $5 and s.id < $2 and s.id > $3 and not s.deleted and ${kind}
      and ${REPLY_WANTED}
      and (not $7::boolean or s.reblog_of_id is null)
      and (${pageVisibleTo('$1')} and ${REBLOG_WANTED}) is true
    order by s.id ${order} limit $4`,
  );
const STATUSES = statusesOf('account_statuses', 'true');
/** Posts with media have their own index, because an account may post media rarely. */
export const WITH_MEDIA = statusesOf('account_statuses_with_media', 's.media is not null');
/**
 * Reblogs have no hashtags. Rows are compared as a whole, so that only the index that begins with the account fits:
 * the one that begins with the hashtag would read the posts of all accounts.
 */
export const TAGGED = keysetStatement<{ id: string }>(
  'account_statuses_tagged',
  (order) => `
    select s.id from status_tags t join statuses s on s.id = t.status_id ${PAGE_JOINS}
    where (t.account_id, t.tag, t.status_id) < ($5, $7, $2::bigint) and (t.account_id, t.tag, t.status_id) > ($5, $7, $3::bigint)
      and not s.deleted
      and ${REPLY_WANTED} and (not $8::boolean or s.media is not null)
      and ${pageVisibleTo('$1')}
    order by t.account_id ${order}, t.tag ${order}, t.status_id ${order} limit $4`,
);

/** The last pinned post comes first. */
const PINNED = keysetStatement<{ id: string }>(
  'account_statuses_pinned',
  (order) => `
   select s.id from status_pins p join statuses s on s.id = p.status_id ${PAGE_JOINS}
   where p.account_id = $5 and s.id < $2 and s.id > $3 and ${pageVisibleTo('$1')}
   order by ${order === 'desc' ? 'p.pin_id desc' : 's.id'} limit $4`,
);

export const accountStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  summary: "View an account's statuses",
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  query: z.object({
    tagged: z
      .preprocess((value: string) => firstOf(value), z.string().max(500).optional())
      .optional()
      .describe('A hashtag without its number sign; only statuses with it are listed.'),
    exclude_replies: formBoolean
      .optional()
      .describe('Whether replies to other accounts are left out; false by default.'),
    exclude_reblogs: formBoolean.optional().describe('Whether reblogs are left out; false by default.'),
    only_media: formBoolean
      .optional()
      .describe('Whether only statuses with attachments are listed; false by default.'),
    pinned: formBoolean.optional().describe('Whether only pinned statuses are listed; false by default.'),
    ...pageParameters(20, 40),
  }),
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    await requireAccount(ctx.db, params.id);
    const { tagged, only_media, exclude_replies, exclude_reblogs } = query;
    // The specification wants no pagination headers here.
    if (query.pinned === true) return { ...(await listStatuses(ctx, PINNED, query, [params.id])), page: {} };
    const values = [params.id, exclude_replies === true];
    if (tagged)
      return listStatuses(ctx, TAGGED, query, [...values, normalizeTag(tagged), only_media === true]);
    return listStatuses(ctx, only_media === true ? WITH_MEDIA : STATUSES, query, [
      ...values,
      exclude_reblogs === true,
    ]);
  },
});
