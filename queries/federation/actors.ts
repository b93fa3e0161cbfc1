import type { Profile } from '#events/accounts.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { knownToServers } from '../visibility/federation.ts';

/** A local account as actor documents show it. */
export interface LocalActor {
  id: string;
  username: string;
  uri: string;
  url: string;
  /** ISO 8601. */
  created_at: string;
  profile: Profile;
  followers_count: number;
  following_count: number;
  statuses_count: number;
  /** The URI of the account that this one has moved to. */
  moved_to: string | null;
  /** The URIs of its aliases, and of local accounts that moved here with their followers. */
  also_known_as: string[];
  suspended: boolean;
}

type Row = Omit<LocalActor, 'profile'> & { profile: string; erased: boolean };

/** An erased account keeps its name and has no user. */
const ERASED = `(a.domain is null and not exists (select from users usr where usr.account_id = a.id offset 0))`;

const actorWhere = (condition: string): string =>
  `select a.id, a.username, a.uri, a.url, a.profile, a.suspended, ${ERASED} as erased, moved.uri as moved_to,
     (select coalesce(json_agg(named.uri order by named.uri), '[]') from (
        select n.uri from account_aliases n where n.account_id = a.id union select old.uri from accounts old
        where old.moved_to = a.id and old.moved_with_followers and old.domain is null) as named) as also_known_as,
     to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"00:00:00"Z"') as created_at,
     coalesce(st.followers_count, 0) as followers_count, coalesce(st.following_count, 0) as following_count,
     coalesce(st.statuses_count, 0) as statuses_count
   from accounts a left join account_stats st on st.account_id = a.id
   left join accounts moved on moved.id = a.moved_to
   where ${condition}`;
const BY_USERNAME = statement<Row>(
  'federation_actor',
  actorWhere(`a.acct_key = lower($1) and (${knownToServers()} or ${ERASED})`),
);
const BY_ID = statement<Row>('federation_actor_by_id', actorWhere(`a.id = $1 and ${knownToServers()}`));

/**
 * Returns a local account by its name, in any case. @throws RookeryError `not_found`, `gone` when erased,
 * `forbidden` while suspended
 */
export async function localActor(db: Db, username: string): Promise<LocalActor> {
  const actor = await knownLocalActor(db, username);
  if (actor.suspended) throw new RookeryError('forbidden', 'This account is suspended');
  return actor;
}

/** Other text is no local name. It is not queried: Postgres rejects NUL with an error. */
const USERNAME = /^[\w.-]+$/;

/**
 * Returns a local account by its name, also a suspended one, whose existence may be known. @throws
 * RookeryError `not_found`, `gone` when erased
 */
export async function knownLocalActor(db: Db, username: string): Promise<LocalActor> {
  const [row] = USERNAME.test(username) ? await db.query(BY_USERNAME, [username]) : [];
  if (!row) throw notFound();
  if (row.erased) throw new RookeryError('gone', 'This account was deleted');
  return actorOf(row);
}

/** Returns a local account, suspended or not; undefined for others. */
export async function localActorById(db: Db, id: string): Promise<LocalActor | undefined> {
  const [row] = await db.query(BY_ID, [id]);
  return row && actorOf(row);
}

const actorOf = ({ profile, erased: _, ...rest }: Row): LocalActor => ({
  ...rest,
  profile: JSON.parse(profile) as Profile,
});
