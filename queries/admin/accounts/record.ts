import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { json } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import { accountRecordSchema } from '#mastodon/schemas/index.ts';
import { notesWhere, reportsWhere, strikesAgainst } from '../reports/index.ts';
import { adminAccountText } from './find.ts';

const RECORD = statement<RecordRow>(
  'admin_account_record',
  `select u.last_active_on::text,
     (select count(*)::int from durable.sessions s where s.account_id = a.id and s.expires_at > $2::timestamptz) as sessions_count,
     ${strikesAgainst('a.id')} as strikes,
     ${reportsWhere('target_account_id', 'a.id')} as about_target,
     ${reportsWhere('account_id', 'a.id')} as by_reporter,
     ${notesWhere('in (select o.id from reports o where o.target_account_id = a.id)')} as notes
   from accounts a left join users u on u.account_id = a.id where a.id = $1`,
);

interface RecordRow {
  last_active_on: string | null;
  sessions_count: number;
  /** JSON texts, like the following. */
  strikes: string;
  about_target: string;
  by_reporter: string;
  notes: string;
}

/** An account with its history. */
export const showAccountRecord = endpoint({
  method: 'GET',
  path: '/api/v1/admin/accounts/:id/record',
  summary: 'View an account as staff, with its strikes, reports and notes',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  params: idParams,
  reply: accountRecordSchema,
  handler: async (ctx, { params: { id } }) => {
    const [[row], account] = await Promise.all([
      ctx.db.query(RECORD, [id, ctx.now]),
      adminAccountText(ctx, id),
    ]);
    if (!row) throw notFound();
    const { last_active_on, sessions_count, strikes, about_target, by_reporter, notes } = row;
    const facts = members({ last_active_on, sessions_count });
    return {
      text: json`{"account":${account},${facts},"strikes":${strikes},"about_target":${about_target},"by_reporter":${by_reporter},"notes":${notes}}`,
    };
  },
});
