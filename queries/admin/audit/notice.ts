import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParam } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import { type StrikeNotice, strikeNoticeSchema } from '#mastodon/schemas/index.ts';
import { shownDomain } from '#queries/entities/handles.ts';
import { STAFF } from './list.ts';

const NOTICE = statement<Omit<StrikeNotice, 'account'> & { account_id: string; acct: string }>(
  'audit_strike_notice',
  `select w.id as strike_id, w.account_id, a.username || coalesce('@' || ${shownDomain('a')}, '') as acct,
     w.notified, w.mailed_at, w.mail_subject as subject, w.mail_text as text
   from account_warnings w join accounts a on a.id = w.account_id where w.id = $1`,
);

/** Whether and when the user of a strike was told, and the mail as it was sent. The path is Rookery's own. */
export const showStrikeNotice = endpoint({
  ...STAFF,
  path: '/api/v1/admin/strikes/:strike_id/notice',
  summary: 'View what the user of a strike was told',
  params: z.object({ strike_id: idParam.describe('The ID of the strike.') }),
  reply: strikeNoticeSchema,
  handler: async ({ db }, { params: { strike_id } }) => {
    const [row] = await db.query(NOTICE, [strike_id]);
    if (!row) throw notFound();
    const { account_id, acct, ...notice } = row;
    return { json: { ...notice, account: { id: account_id, acct } } };
  },
});
