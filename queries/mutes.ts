import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { BACK_BY_SINCE_ID, keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { mutedAccountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountMembers, type AccountRow } from './entities/account.ts';
import { readyArray } from './entities/ready-json.ts';
import { listedForOwner } from './visibility/accounts.ts';

const MUTED = keysetStatement<MutedRow>(
  'muted_accounts',
  (order) => `
    select m.id as cursor, m.expires_at, ${ACCOUNT_COLUMNS}
    from mutes m join accounts a on a.id = m.target_account_id ${ACCOUNT_STATS}
    where m.account_id = $1 and m.id < $2 and m.id > $3
      and (m.expires_at is null or m.expires_at > now()) and ${listedForOwner()}
    order by m.id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);

type MutedRow = AccountRow & { cursor: string; expires_at: string | null };

/** Mutes that lapsed are not among them. */
export const listMutes = endpoint({
  method: 'GET',
  path: '/api/v1/mutes',
  summary: 'View the accounts that you mute',
  auth: 'user',
  scopes: ['read:mutes', 'follow'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(mutedAccountSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, MUTED, query, ({ cursor }) => cursor);
    return { text: readyArray(rows.map(mutedAccountJson), ctx.instance), page };
  },
});

const mutedAccountJson = (row: MutedRow): string =>
  `{${accountMembers(row)},"mute_expires_at":${JSON.stringify(row.expires_at)}}`;

export const muteQueries = [listMutes];
