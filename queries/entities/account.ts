import { parseReady, printReady } from './ready-json.ts';

/** What a statement selects to render an account; `a` is `accounts`, `ac` its `account_stats`. */
export const ACCOUNT_COUNTERS =
  'ac.followers_count, ac.following_count, ac.statuses_count, ac.last_status_at::text';
export const ACCOUNT_COLUMNS = `a.id as account_id, a.body as account_body, a.suspended, ${ACCOUNT_COUNTERS}`;
export const ACCOUNT_STATS = 'left join account_stats ac on ac.account_id = a.id';

export interface AccountBodyRow {
  account_id: string;
  account_body: string;
  suspended: boolean;
}

export interface AccountRow extends AccountBodyRow {
  followers_count: number | null;
  following_count: number | null;
  statuses_count: number | null;
  last_status_at: string | null;
}

/** https://docs.joinmastodon.org/entities/Account/ as ready JSON, hosts still to be filled in. */
export function accountJson(row: AccountRow): string {
  return `{${accountMembers(row)}}`;
}

/** The members of an account, for entities that add some of their own. */
export function accountMembers(row: AccountRow): string {
  const body = row.suspended ? withoutProfile(row.account_body) : row.account_body;
  const last = row.last_status_at === null ? 'null' : `"${row.last_status_at}"`;
  return (
    `${body},"followers_count":${row.followers_count ?? 0},"following_count":${row.following_count ?? 0},` +
    `"statuses_count":${row.statuses_count ?? 0},"last_status_at":${last}`
  );
}

/** A suspended account is only a name. */
function withoutProfile(body: string): string {
  const account = parseReady(`{${body}}`) as Record<string, unknown>;
  const hidden = {
    ...account,
    display_name: '',
    note: '',
    fields: [],
    emojis: [],
    avatar_description: '',
    header_description: '',
    locked: false,
    bot: false,
    feature_approval: { automatic: [], manual: [], current_user: 'denied' },
  };
  return printReady({ ...hidden, discoverable: false, suspended: true }).slice(1, -1);
}
