import { parseReady, printReady } from '#mastodon/ready-json.ts';
import { withoutPictures } from './rejected-media.ts';

const body = (account: string): string =>
  `${account}.id as account_id, ${account}.body as account_body, ${account}.suspended, ${account}.silenced,
    ${account}.sensitized, ${account}.media_rejected`;
/** The local count plus the excess that the account's server reports; never below zero. */
const total = (stats: string, name: string): string =>
  `greatest(${stats}.${name}_count + ${stats}.${name}_elsewhere, 0) as ${name}_count`;
const counters = (stats: string): string =>
  `${['followers', 'following', 'statuses'].map((name) => total(stats, name)).join(', ')}, ${stats}.last_status_at::text`;

/**
 * The columns for rendering an account; `a` is `accounts`, `ac` its `account_stats`. A moved account includes
 * its new account, which costs nothing for all others.
 */
export const ACCOUNT_COLUMNS = `${body('a')}, ${counters('ac')},
  case when a.moved_to is not null then (
    select row_to_json(target) from (
      select ${body('mv')}, ${counters('mvs')} from accounts mv left join account_stats mvs on mvs.account_id = mv.id
      where mv.id = a.moved_to
    ) as target
  ) end as moved`;
export const ACCOUNT_STATS = 'left join account_stats ac on ac.account_id = a.id';

/** The versions (`xmin`) of the rows behind `ACCOUNT_COLUMNS`: see `AccountVersions`. */
export const ACCOUNT_VERSIONS = `a.xmin as account_version, ac.xmin as account_stats_version,
  case when a.moved_to is not null then (
    select concat(mv.xmin, ' ', mvs.xmin) from accounts mv left join account_stats mvs on mvs.account_id = mv.id
    where mv.id = a.moved_to
  ) end as moved_version`;

export interface AccountVersions {
  account_version: string;
  account_stats_version: string | null;
  /** The version of the account that this one has moved to. */
  moved_version: string | null;
}

export const sameAccount = (one: AccountVersions, other: AccountVersions): boolean =>
  one.account_version === other.account_version &&
  one.account_stats_version === other.account_stats_version &&
  one.moved_version === other.moved_version;

interface PlainAccountRow {
  account_id: string;
  account_body: string;
  suspended: boolean;
  silenced: boolean;
  /** All its posts count as sensitive. */
  sensitized: boolean;
  /** No picture of its server is shown. */
  media_rejected: boolean;
  followers_count: number | null;
  following_count: number | null;
  statuses_count: number | null;
  last_status_at: string | null;
}

export interface AccountRow extends PlainAccountRow {
  /** The account that this one has moved to. */
  moved: PlainAccountRow | null;
}

/** Returns https://docs.joinmastodon.org/entities/Account/ as ready JSON without hosts. */
export function accountJson(row: AccountRow): string {
  return `{${accountMembers(row)}}`;
}

/** Returns the members of an account, for entities that add further ones. */
export function accountMembers(row: AccountRow): string {
  return `${plainMembers(row)}${movedMember(row)}`;
}

/** The `moved` of the target is null: chains of moves are not followed. */
function movedMember({ moved, suspended }: AccountRow): string {
  if (!moved) return '';
  return `,"moved":${suspended ? 'null' : `{${plainMembers(moved)},"moved":null}`}`;
}

function plainMembers(row: PlainAccountRow): string {
  const body = row.media_rejected ? withoutPictures(row.account_body) : row.account_body;
  const members = row.suspended ? withoutProfile(body) : body;
  const last = row.last_status_at === null ? 'null' : `"${row.last_status_at}"`;
  return (
    `${members}${row.silenced ? ',"limited":true' : ''},"followers_count":${row.followers_count ?? 0},"following_count":${row.following_count ?? 0},` +
    `"statuses_count":${row.statuses_count ?? 0},"last_status_at":${last}`
  );
}

/** Leaves out everything but the name, for a suspended account. */
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
    ...('roles' in account ? { roles: [] } : {}),
    feature_approval: { automatic: [], manual: [], current_user: 'denied' },
  };
  return printReady({ ...hidden, discoverable: false, suspended: true }).slice(1, -1);
}
