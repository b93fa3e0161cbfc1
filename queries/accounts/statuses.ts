import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { formBoolean, idParams } from '../../src/kernel/input.ts';
import { normalizeTag } from '../../src/mastodon/normalize-tag.ts';
import { keysetStatement, pageParameters, type KeysetStatement } from '../../src/kernel/paging.ts';
import { statusSchema } from '../../src/mastodon/schemas/index.ts';
import { notMutedBy } from '../visibility/statuses.ts';
import { listStatuses, PAGE_JOINS, pageVisibleTo } from '../statuses/index.ts';
import { requireAccount } from './known.ts';

/** A page of another account leaves out reblogs of accounts that the viewer would not see elsewhere. */
const REBLOG_WANTED = `(s.reblog_of_id is null or s.account_id = $1
      or ${notMutedBy('$1', { author: 'oa' })})`;
const statusesOf = (name: string, kind: string): KeysetStatement =>
  keysetStatement(
    name,
    (order) => `
    select s.id from statuses s ${PAGE_JOINS}
    where s.account_id = $5 and s.id < $2 and s.id > $3 and not s.deleted and ${kind}
      and (not $6::boolean or (s.in_reply_to_id is null and s.in_reply_to_uri is null)
        or s.in_reply_to_account_id = s.account_id)
      and ($7::text is null or exists (select from status_tags t where t.status_id = s.id and t.tag = $7))
      and (not $8::boolean or s.reblog_of_id is null)
      and (${pageVisibleTo('$1')} and ${REBLOG_WANTED}) is true
    order by s.id ${order} limit $4`,
  );
const STATUSES = statusesOf('account_statuses', 'true');
/** Posts with media have their own index, because an account may post media rarely. */
export const WITH_MEDIA = statusesOf('account_statuses_with_media', 's.media is not null');

/** The last pinned post comes first. */
const PINNED = keysetStatement(
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
      .string()
      .max(500)
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
    if (query.pinned === true) return listStatuses(ctx, PINNED, query, [params.id]);
    return listStatuses(ctx, query.only_media === true ? WITH_MEDIA : STATUSES, query, [
      params.id,
      query.exclude_replies === true,
      query.tagged ? normalizeTag(query.tagged) : null,
      query.exclude_reblogs === true,
    ]);
  },
});
