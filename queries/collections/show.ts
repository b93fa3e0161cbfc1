import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { json } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { collectionWithAccountsSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';
import { collectionOf } from './collection.ts';

const ACCOUNTS = statement<AccountRow>(
  'collection_accounts',
  `select ${ACCOUNT_COLUMNS} from unnest($1::bigint[]) with ordinality as n (id, place)
   join accounts a on a.id = n.id ${ACCOUNT_STATS} group by a.id, ac.account_id order by min(n.place)`,
);

/** The reply contains the owner, first, and all members. */
export const showCollection = endpoint({
  method: 'GET',
  path: '/api/v1/collections/:id',
  summary: 'View a collection',
  auth: 'optional',
  scopes: ['read:collections'],
  params: idParams,
  reply: collectionWithAccountsSchema,
  handler: async (ctx, { params }) => {
    const collection = await collectionOf(ctx, params.id);
    const ids = [collection.account_id, ...collection.items.map(({ account_id }) => account_id)];
    const accounts = await ctx.db.query(ACCOUNTS, [ids]);
    return {
      text: json`{"accounts":${readyArray(accounts.map(accountJson), ctx.instance)},"collection":${JSON.stringify(collection)}}`,
    };
  },
});
