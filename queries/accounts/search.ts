import { z } from 'zod';
import type { Instance, RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean } from '#kernel/input.ts';
import { type OffsetPage, offsetParameters } from '#kernel/offset-paging.ts';
import { statement } from '#kernel/read.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { handlePrefix, handleTerm, searchWords } from '#mastodon/search-terms.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { aliasDigest } from '../entities/handles.ts';
import { readyArray } from '../entities/ready-json.ts';
import { foundByHandle, searchableFor } from '../visibility/accounts.ts';
import { acctKey } from './known.ts';

/** The maximum number of UTF-16 units of `q`, and of its words that are searched for. */
const MAX_QUERY_LENGTH = 500;
const MAX_WORDS = 16;
/** A handle, or the start of one. */
const HANDLE = /^[\p{L}\p{N}\p{M}_.-]+(@[\p{L}\p{N}\p{M}_.:-]*)?$/u;

/**
 * The inner select ranks all matches by narrow rows, without visibility. The outer one reads from the top, so
 * that blocks and profiles are looked up for one page only. Following is an index lookup for each match: as a
 * join, Postgres would read all follows.
 */
export const SEARCH = statement<AccountRow>(
  'accounts_search',
  `select ${ACCOUNT_COLUMNS}
   from (
     select s.account_id, s.acct_key is not distinct from $3 as exact, s.moved,
       exists (select from follows f where f.account_id = $1 and f.target_account_id = s.account_id offset 0) as followed,
       coalesce(st.followers_count, 0) as followers
     from account_search s
     left join account_stats st on st.account_id = s.account_id
     where s.terms @@ $2::tsquery and (s.acct_key = $3 or not $5::boolean)
     order by exact desc, s.moved, followed desc, followers desc, s.account_id offset 0
   ) m
   join accounts a on a.id = m.account_id ${ACCOUNT_STATS}
   where (m.followed or not $4::boolean) and ((m.exact and ${foundByHandle()}) or ${searchableFor('$1')})
   order by m.exact desc, m.moved, m.followed desc, m.followers desc, m.account_id
   limit $6 offset $7`,
);

const ALIASED = statement<AccountRow>(
  'account_search_alias',
  `select ${ACCOUNT_COLUMNS} from handle_aliases h join accounts a on a.id = h.account_id ${ACCOUNT_STATS}
   where h.digest = $1 and ${foundByHandle()} and (not $3::boolean or exists (
     select from follows f where f.account_id = $2 and f.target_account_id = a.id))`,
);
const FIND = statement<AccountRow>(
  'account_search_find',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = $1 and ${foundByHandle()}`,
);

export interface AccountSearch extends OffsetPage {
  q: string;
  /** Only accounts that the viewer follows. */
  following?: boolean;
  /** Only the account with exactly this handle, as for short searches without a token. */
  exact?: boolean;
}

/**
 * Returns accounts as ready JSON without hosts, best match first: the account with this handle, then accounts
 * that the viewer follows, then by number of followers; moved accounts come last. Each word of `q` must start
 * a word of the name, or `q` the handle.
 */
export async function searchAccounts(
  { db, viewer, instance }: Pick<RequestContext, 'db' | 'viewer' | 'instance'>,
  { q, limit, offset, following = false, exact = false }: AccountSearch,
): Promise<string[]> {
  const handle = handleIn(q);
  const key = handle === undefined ? null : acctKey(handle, instance);
  const wanted = termsWanted(q, handle, instance);
  if (wanted === undefined) return [];
  const values = [viewer?.account_id ?? null, wanted, key, following, exact, limit, offset];
  const rows = await db.query(SEARCH, values);
  const isWhole = key?.includes('@') === true && offset === 0;
  const [aliased] = isWhole
    ? await db.query(ALIASED, [aliasDigest(key), viewer?.account_id ?? null, following])
    : [];
  const found = aliased ? [aliased, ...rows.filter(({ account_id: id }) => id !== aliased.account_id)] : rows;
  return found.slice(0, limit).map(accountJson);
}

/** Returns the account with this handle as ready JSON without hosts, if the viewer may find it. */
export async function findAccount(
  { db }: Pick<RequestContext, 'db'>,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await db.query(FIND, [accountId]);
  return row && accountJson(row);
}

/** Returns true for the handle of an account that only its own server may know. */
export function namesFarAccount(q: string, instance: Instance): boolean {
  const key = acctKey(handleIn(q.replace(/^acct:/i, '')) ?? '', instance);
  return /^[^@]+@[^@.]+\.[^@]+$/.test(key);
}

/** With `resolve`, an unknown account is looked up on its server. */
export const searchForAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/search',
  summary: 'Search for accounts by handle or display name',
  auth: 'user',
  scopes: ['read:accounts'],
  query: z.object({
    q: z
      .string()
      .max(MAX_QUERY_LENGTH)
      .default('')
      .describe(`A handle or the beginning of a name, of at most ${MAX_QUERY_LENGTH} characters.`),
    resolve: formBoolean
      .optional()
      .describe('Whether other servers are asked for a handle that is unknown here; false by default.'),
    following: formBoolean
      .optional()
      .describe('Whether only accounts that the user follows are found; false by default.'),
    ...offsetParameters(40, 80),
  }),
  reply: z.array(accountSchema),
  handler: async (ctx, { query: { q, limit, offset, following, resolve } }) => {
    if (resolve === true && offset === 0 && namesFarAccount(q, ctx.instance)) {
      await ctx.services.resolver.resolve(q.trim());
    }
    const found = await searchAccounts(ctx, { q, limit, offset, following: following === true });
    return { text: readyArray(found, ctx.instance) };
  },
});

const quoted = (term: string): string => `'${term.replace(/['\\\\]/g, '$&$&')}'`;
const beginsWith = (term: string): string => `${quoted(term)}:*`;

/** Returns the handle without its leading @; undefined for text that is no handle. */
function handleIn(q: string): string | undefined {
  const handle = q.trim().replace(/^@/, '');
  return HANDLE.test(handle) && handlePrefix(handle) !== '' ? handle : undefined;
}

/** Returns the tsquery for `q`; undefined when nothing can match. */
function termsWanted(q: string, handle: string | undefined, { domain }: Instance): string | undefined {
  const [username = '', host] = handle?.split('@') ?? [];
  const wanted = new Set<string>();
  if (handle !== undefined) wanted.add(beginsWith(handlePrefix(handle)));
  if (host !== undefined) {
    if (domain.toLowerCase().startsWith(host.toLowerCase())) wanted.add(quoted(handleTerm(username)));
  } else {
    const words = searchWords(q, MAX_WORDS);
    if (words.length > 0) wanted.add(words.map(beginsWith).join(' & '));
  }
  return wanted.size === 0 ? undefined : [...wanted].join(' | ');
}
