import { isIP } from 'node:net';
import type { UserContext } from '#kernel/context.ts';
import type { Reply } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { type KeysetStatement, keysetStatement, type PageQuery, readPage } from '#kernel/paging.ts';
import { adminAccounts } from '#queries/entities/admin-account.ts';

/** A filter of accounts for staff; all conditions must match. */
export interface AccountFilter {
  local?: boolean | undefined;
  states: readonly AccountState[];
  /** Names of roles; an empty name means users without a role. */
  roles?: readonly string[] | undefined;
  /** Prefixes of the fields. */
  username?: string | undefined;
  display_name?: string | undefined;
  email?: string | undefined;
  /** In canonical form. */
  domain?: string | undefined;
  /** The address from which the user signed up or was last seen. */
  ip?: string | undefined;
}

export const ACCOUNT_STATES = [
  'active',
  'pending',
  'disabled',
  'silenced',
  'suspended',
  'sensitized',
] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Conditions on an account `a` and its user `u`, which may be absent. */
export const STATES: Record<AccountState, string> = {
  active: 'not a.suspended',
  pending: 'not u.approved',
  disabled: 'u.disabled',
  silenced: 'a.silenced',
  suspended: 'a.suspended',
  sensitized: 'a.sensitized',
};
/** A string that sorts after all others. */
const LAST = 'chr(1114111)';
const beginsWith = (column: string, prefix: string): string =>
  `(${column} >= ${prefix} and ${column} < ${prefix} || ${LAST})`;

const USERNAME = beginsWith('a.acct_key', '$8::text');
const EMAIL = beginsWith('lower(u.email) collate "C"', '$10::text');
const IP = `a.id in (select d.account_id from durable.account_addresses d where d.ip = $12::text
  union all select us.account_id from users us where us.sign_up_ip = $12)`;

/**
 * Lists the accounts that meet all conditions; null and an empty list are no condition. `foremost` has an
 * index.
 */
const form = (name: string, foremost: string): KeysetStatement<{ id: string }> =>
  keysetStatement(
    `admin_accounts_${name}`,
    (order) => `
      select a.id from accounts a left join users u on u.account_id = a.id
      where a.id < $2 and a.id > $3 and $1::bigint is not null and ${foremost}
        and ($5::boolean is null or (a.domain is null) = $5)
        and ${ACCOUNT_STATES.map((state) => `('${state}' <> all($6::text[]) or ${STATES[state]})`).join(' and ')}
        and ($7::text[] is null or u.account_id is not null and coalesce(u.role, '') = any($7))
        and ($8::text is null or ${USERNAME})
        and ($9::text is null or ${beginsWith('lower(a.display_name) collate "C"', '$9')})
        and ($10::text is null or ${EMAIL})
        and ($11::text is null or a.domain = $11)
        and ($12::text is null or ${IP})
      order by a.id ${order} limit $4`,
  );

const ANY = form('any', 'true');
const PENDING = form('pending', STATES.pending);
const BY_USERNAME = form('username', USERNAME);
const BY_EMAIL = form('email', EMAIL);
const BY_IP = form('ip', IP);

/** Returns the statement whose index finds the requested accounts without reading all of them. */
function formFor({ email, ip, username, states }: AccountFilter): KeysetStatement<{ id: string }> {
  if (email !== undefined) return BY_EMAIL;
  if (ip !== undefined) return BY_IP;
  if (username !== undefined) return BY_USERNAME;
  return states.includes('pending') ? PENDING : ANY;
}

/** Returns a page of accounts as staff see them, newest first. */
export async function listAdminAccounts(
  ctx: UserContext,
  filter: AccountFilter,
  query: PageQuery,
): Promise<Reply> {
  // Text that is no IP address matches no account.
  if (filter.ip !== undefined && isIP(filter.ip) === 0) return { json: [] };
  const { rows, page } = await readPage<{ id: string }>(ctx, formFor(filter), query, ({ id }) => id, [
    filter.local ?? null,
    filter.states,
    filter.roles ?? null,
    ...[filter.username, filter.display_name, filter.email].map((text) => text?.toLowerCase() ?? null),
    filter.domain ?? null,
    filter.ip?.toLowerCase() ?? null,
  ]);
  const ids = rows.map(({ id }) => id);
  const texts = await adminAccounts(ctx, ids);
  return { text: jsonArray(ids.flatMap((id) => texts.get(id) ?? [])), page };
}

/** Returns one account as staff see it, as ready JSON. @throws RookeryError `not_found` */
export async function adminAccountText(ctx: UserContext, accountId: string): Promise<string> {
  const text = (await adminAccounts(ctx, [accountId])).get(accountId);
  if (text === undefined) throw notFound();
  return text;
}
