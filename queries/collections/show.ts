import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { json } from '../../src/kernel/json-pieces.ts';
import { statement } from '../../src/kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';
import { collectionWithAccountsSchema } from '../../src/mastodon/schemas/index.ts';
import { collectionOf } from './collection.ts';

const ACCOUNTS = statement(
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
    const accounts = await ctx.db.query<AccountRow>(ACCOUNTS, [ids]);
    return {
      text: json`{"accounts":${readyArray(accounts.map(accountJson), ctx.instance)},"collection":${JSON.stringify(collection)}}`,
    };
  },
});
