import { type Db, statement } from '#kernel/read.ts';
import { shownDomain } from '#queries/entities/handles.ts';
import { ACCOUNT_STATES, type AccountState, STATES } from './find.ts';

/** An account as the command line lists it. */
export interface AccountRow {
  id: string;
  username: string;
  domain: string | null;
  display_name: string;
  email: string | null;
  role: string | null;
  created_at: string;
  last_active_on: string | null;
  followers_count: number;
  following_count: number;
  statuses_count: number;
  /** The states that apply, of `STATES`, `gone` and `moved`. */
  states: string[];
}

export interface RowFilter {
  local?: boolean | undefined;
  states?: readonly AccountState[] | undefined;
  role?: string | undefined;
  domain?: string | undefined;
  /** A part of the name, the display name or the e-mail address. */
  text?: string | undefined;
  id?: string | undefined;
  limit: number;
}

const flag = (name: string, condition: string): string =>
  `case when coalesce(${condition}, false) then '${name}' end`;
const SHOWN = [
  flag('pending', 'u.account_id is not null and not u.approved'),
  flag('unconfirmed', 'u.account_id is not null and not u.confirmed'),
  ...(['disabled', 'silenced', 'suspended', 'sensitized'] as const).map((name) => flag(name, STATES[name])),
  flag('gone', 'a.gone'),
  flag('moved', 'a.moved_to is not null'),
].join(', ');

const FIND = statement<AccountRow>(
  'account_rows',
  `select a.id, a.username, ${shownDomain()} as domain, a.display_name, u.email, u.role, a.created_at, u.last_active_on::text,
     coalesce(t.followers_count, 0) as followers_count, coalesce(t.following_count, 0) as following_count,
     coalesce(t.statuses_count, 0) as statuses_count, array_remove(array[${SHOWN}], null) as states
   from accounts a left join users u on u.account_id = a.id left join account_stats t on t.account_id = a.id
   where ($1::boolean is null or (a.domain is null) = $1)
     and ${ACCOUNT_STATES.map((state) => `('${state}' <> all($2::text[]) or ${STATES[state]})`).join(' and ')}
     and ($3::text is null or u.role = $3)
     and ($4::text is null or a.domain = $4)
     and ($5::text is null or a.acct_key like $5 or lower(a.display_name) like $5 or lower(u.email) like $5)
     and ($6::bigint is null or a.id = $6)
   order by a.id desc limit $7`,
);

/** Returns the newest accounts that meet all conditions. */
export const accountRows = (
  db: Db,
  { local, states = [], role, domain, text, id, limit }: RowFilter,
): Promise<AccountRow[]> =>
  db.query(FIND, [
    local ?? null,
    states,
    role ?? null,
    domain ?? null,
    text === undefined ? null : `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`,
    id ?? null,
    limit,
  ]);
