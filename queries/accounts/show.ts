import { z } from 'zod';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { idParams, idsByAge } from '#kernel/input.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { type Db, statement } from '#kernel/read.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { idOfHandle } from '../entities/handles.ts';
import { fillOrigins, readyArray } from '../entities/ready-json.ts';
import { deleted, letIn } from '../visibility/accounts.ts';
import { handleValues } from './known.ts';

const MAX_IDS = 40;
/** Like `permit(id: [])` of Rails, which takes lists only. */
const listedIds = z.preprocess(
  (value: readonly string[] | undefined) => (Array.isArray(value) ? value : undefined),
  idsByAge(1_000),
);

const SHOW = statement<AccountRow>(
  'accounts_show',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = any($1) and ${letIn()}`,
);
const LOOKUP = statement<AccountRow>(
  'account_lookup',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = ${idOfHandle('$1', '$2')} and not ${deleted()}`,
);

/** Returns an account as ready JSON. @throws RookeryError `not_found` */
export async function accountText(db: Db, instance: Instance, accountId: string): Promise<string> {
  const [row] = await db.query(SHOW, [[accountId]]);
  if (!row) throw notFound();
  return fillOrigins(accountJson(row), instance);
}

/** Returns the known accounts as a ready JSON array, in the order of the ids. */
export async function accountsText(db: Db, instance: Instance, ids: readonly string[]): Promise<JsonPieces> {
  const rows = await db.query(SHOW, [ids]);
  const found = new Map(rows.map((row) => [row.account_id, accountJson(row)]));
  return readyArray(
    ids.flatMap((id) => found.get(id) ?? []),
    instance,
  );
}

export const showAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id',
  summary: 'View a profile',
  auth: 'optional',
  scopes: ['read:accounts'],
  params: idParams,
  reply: accountSchema,
  handler: async (ctx, { params }) => {
    return { text: await accountText(ctx.db, ctx.instance, params.id) };
  },
});

export const showAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts',
  summary: 'View several profiles',
  auth: 'optional',
  scopes: ['read:accounts'],
  query: z.object({
    id: listedIds.describe(
      `A list of IDs of accounts, at most ${MAX_IDS}; unknown ones are left out, and a single ID is ignored.`,
    ),
  }),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    // The error text in Mastodon is the name of its error class.
    if (query.id.length > MAX_IDS) throw invalid('Mastodon::ValidationError');
    return { text: await accountsText(ctx.db, ctx.instance, query.id) };
  },
});

/**
 * Looks up an account by handle, without asking other servers. Unapproved accounts are found too, as in
 * Mastodon: its sign-up form checks here whether a name is taken. Only their name is shown.
 * https://docs.joinmastodon.org/methods/accounts/#lookup
 */
export const lookupAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  summary: 'Look up an account by its handle',
  auth: 'optional',
  scopes: ['read:accounts'],
  query: z.object({
    acct: z
      .string()
      .max(2_400)
      .default('')
      .describe('The handle: `name` on this server, else `name@domain`; other servers are not asked.'),
  }),
  reply: accountSchema,
  errors: [404],
  handler: async (ctx, { query }) => {
    const [row] = await ctx.db.query(LOOKUP, handleValues(query.acct, ctx.instance));
    if (!row) throw notFound();
    return { text: fillOrigins(accountJson(row), ctx.instance) };
  },
});
