import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idsByAge } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import { familiarFollowersSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';
import { collectionsShownTo, listedFor } from '../visibility/accounts.ts';

/** The maximum number of ids, and of followers of one account; more are left out. */
const MAX_IDS = 40;
const MAX_FOLLOWERS = 80;

const KNOWN = statement<{ id: string }>(
  'familiar_targets',
  'select id from accounts where id = any($1) and not suspended',
);
/** Accounts that hide their connections are left out, as followers and as followed accounts. */
const FAMILIAR = statement<AccountRow & { target_id: string }>(
  'familiar_followers',
  `select t.id as target_id, familiar.* from accounts t, lateral (
     select ${ACCOUNT_COLUMNS} from follows mine
       join follows theirs on theirs.account_id = mine.target_account_id and theirs.target_account_id = t.id
       join accounts a on a.id = mine.target_account_id ${ACCOUNT_STATS}
     where mine.account_id = $1 and a.hide_collections is not true and ${listedFor('$1')}
     order by theirs.id desc limit ${MAX_FOLLOWERS}) familiar
   where t.id = any($2) and ${collectionsShownTo('$1', 't')}`,
);

/** Looks up followers by account id, newest first. Unknown accounts are left out. */
export const familiarFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/familiar_followers',
  summary: 'Find out who of those you follow also follows accounts',
  auth: 'user',
  scopes: ['read:follows'],
  query: z.object({
    id: idsByAge(MAX_IDS).describe(`IDs of accounts, of which the first ${MAX_IDS} count.`),
  }),
  reply: z.array(familiarFollowersSchema),
  handler: async (ctx, { query }) => {
    const [known, rows] = await Promise.all([
      ctx.db.query(KNOWN, [query.id]),
      ctx.db.query(FAMILIAR, [ctx.viewer.account_id, query.id]),
    ]);
    const familiar = Map.groupBy(rows, ({ target_id }) => target_id);
    const found = new Set(known.map(({ id }) => id));
    const items = query.id
      .filter((id) => found.has(id))
      .map((id) => `{"id":"${id}","accounts":[${(familiar.get(id) ?? []).map(accountJson).join(',')}]}`);
    return { text: readyArray(items, ctx.instance) };
  },
});
