import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';
import { fillOrigins } from './ready-json.ts';
import { roleJson } from './role.ts';

/** The maximum number of an account's newest addresses. */
const MOST_IPS = 100;

/** The addresses from which user `u` was seen and signed up, newest first, as a JSON list. */
const IPS = `(
  select coalesce(json_agg(json_build_object('ip', k.ip, 'used_at',
    to_char(k.used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by k.used_at desc, k.ip), '[]')::text
  from (
    select known.ip, max(known.used_at) as used_at from (
      select d.ip, d.used_at from durable.account_addresses d where d.account_id = u.account_id
      union all select u.sign_up_ip, u.created_at where u.sign_up_ip <> ''
    ) known group by known.ip order by 2 desc, 1 limit ${MOST_IPS}
  ) k)`;

const FIND = statement<Row>(
  'admin_accounts',
  `select ${ACCOUNT_COLUMNS}, a.username, a.domain, a.created_at,
     u.email, u.locale, u.role, u.confirmed, u.approved, u.disabled, u.reason, u.created_by_application_id, ${IPS} as ips
   from unnest((select $1::bigint[])) as asked (id)
   join accounts a on a.id = asked.id left join users u on u.account_id = a.id ${ACCOUNT_STATS}`,
);

/** The members of a user are null for a remote account. */
interface Row extends AccountRow {
  username: string;
  domain: string | null;
  created_at: string;
  email: string | null;
  locale: string | null;
  role: string | null;
  confirmed: boolean | null;
  approved: boolean | null;
  disabled: boolean | null;
  reason: string | null;
  created_by_application_id: string | null;
  /** A JSON text. */
  ips: string;
}

/**
 * Returns Admin::Account of these accounts as JSON texts, by id; unknown ones are absent. One statement. For
 * staff only.
 */
export async function adminAccounts(
  { db, instance }: Pick<RequestContext, 'db' | 'instance'>,
  accountIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.query(FIND, [ids]);
  return new Map(rows.map((row) => [row.account_id, fillOrigins(adminAccountJson(row), instance)]));
}

/**
 * Returns https://docs.joinmastodon.org/entities/Admin_Account/ as ready JSON. Remote accounts need no
 * approval.
 */
function adminAccountJson(row: Row): string {
  const [newest] = JSON.parse(row.ips) as { ip: string }[];
  const facts = members({
    id: row.account_id,
    username: row.username,
    domain: row.domain,
    created_at: row.created_at,
    email: row.email ?? '',
    ip: newest?.ip ?? null,
    locale: row.locale ?? '',
    invite_request: row.reason,
    confirmed: row.confirmed ?? true,
    approved: row.approved ?? true,
    disabled: row.disabled ?? false,
    silenced: row.silenced,
    suspended: row.suspended,
    sensitized: row.sensitized,
    ...(row.created_by_application_id === null
      ? {}
      : { created_by_application_id: row.created_by_application_id }),
  });
  return `{${facts},"ips":${row.ips},"role":${roleJson(row.role)},"account":${accountJson(row)}}`;
}
