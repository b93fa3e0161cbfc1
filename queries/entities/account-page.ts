import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import type { Reply } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import {
  BACK_BY_SINCE_ID,
  type KeysetStatement,
  keysetStatement,
  pageParameters,
  type PageQuery,
  readPage,
} from '#kernel/paging.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { listedForOwner } from '../visibility/accounts.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';
import { readyArray } from './ready-json.ts';

/** The common declaration of public lists of accounts. */
export const accountsAround = {
  method: 'GET',
  auth: 'optional',
  scopes: ['read:accounts'],
  params: idParams,
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
} as const;
export type AccountsQuery = z.output<typeof accountsAround.query>;

/** Lists of accounts are paged by the id of the follow or request that listed the account. */
export type ListedAccount = AccountRow & { cursor: string };

/**
 * Selects the accounts in the rows of `table` that belong to the viewer: `owner` is the column of the viewer
 * ($1), `listed` that of the listed account.
 */
export const ownList = (
  name: string,
  table: string,
  { owner = 'account_id', listed = 'target_account_id' }: { owner?: string; listed?: string } = {},
): KeysetStatement<ListedAccount> =>
  keysetStatement(
    name,
    (order) => `
      select l.id as cursor, ${ACCOUNT_COLUMNS} from ${table} l join accounts a on a.id = l.${listed} ${ACCOUNT_STATS}
      where l.${owner} = $1 and l.id < $2 and l.id > $3 and ${listedForOwner()}
      order by l.id ${order} limit $4`,
    BACK_BY_SINCE_ID,
  );

/**
 * Runs a keyset statement over accounts (see `selectPage`) and renders the page. The statement selects the id
 * for paging as `cursor`.
 */
export async function listAccounts(
  ctx: RequestContext,
  keyset: KeysetStatement<ListedAccount>,
  query: PageQuery,
  values: readonly unknown[] = [],
): Promise<Reply> {
  const { rows, page } = await readPage(ctx, keyset, query, ({ cursor }) => cursor, values);
  return { text: readyArray(rows.map(accountJson), ctx.instance), page };
}
