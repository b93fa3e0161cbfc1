import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { STATUSES } from '#projections/statuses/tables.ts';
import { shownDomain } from '../entities/handles.ts';
import { publicToServers } from '../visibility/federation.ts';

/** A known remote account. */
export interface KnownActor {
  id: string;
  username: string;
  domain: string;
  /** Suspended here or by its own server, or deleted. */
  suspended: boolean;
  /** Suspended by its own server only, which may lift it. */
  suspended_there: boolean;
}

const ACTOR = statement<KnownActor>(
  'federation_known_actor',
  `select id, username, domain, suspended,
     suspended_there and not (suspended_alone or gone or domain_severity is not distinct from 'suspend') as suspended_there
   from accounts where uri = $1 and domain is not null limit 1`,
);
const REMOTE_URI = statement<{ uri: string }>(
  'federation_remote_uri',
  'select uri from accounts where id = $1 and domain is not null',
);
const MENTIONED = statement<KnownMention>(
  'federation_mentioned',
  `select a.id, a.username, ${shownDomain()} as domain, a.uri, a.url from accounts a
   where (uri = any($1) or url = any($1)) and not suspended
   order by least(array_position($1, uri), array_position($1, url)), id limit 1000`,
);
const UNKNOWN_ACCOUNTS = statement<{ uri: string }>(
  'federation_unknown_accounts',
  `select n.uri from unnest($1::text[]) with ordinality as n (uri, place)
   where not exists (select from accounts a where a.uri = n.uri)
     and not exists (select from accounts a where a.url = n.uri) order by n.place`,
);
/** Selects remote posts by URI, and local ones by id and URI. */
const PARENT = statement<KnownParent>(
  'federation_parent',
  `select s.id, s.account_id, s.conversation_id from statuses s join accounts a on a.id = s.account_id
   where ((s.uri = $1 and not s.local) or (s.id = $2 and s.uri = $1)) and s.reblog_of_id is null and ${publicToServers()}
   limit 1`,
);

export const knownActor = async (db: Db, uri: string): Promise<KnownActor | undefined> =>
  (await db.query(ACTOR, [uri]))[0];

const FOLLOWERS = statement<{ followers_uri: string | null }>(
  'federation_followers_uri',
  'select followers_uri from remote_inboxes where account_id = $1',
);

/** Returns the followers' URI of a remote account; null when unknown. */
export const followersUriOf = async (db: Db, accountId: string): Promise<string | null> =>
  (await db.query(FOLLOWERS, [accountId]))[0]?.followers_uri ?? null;

/** Returns the URI of a remote account; undefined for a local one. */
export const remoteUriOf = async (db: Db, accountId: string): Promise<string | undefined> =>
  (await db.query(REMOTE_URI, [accountId]))[0]?.uri;

export interface KnownMention {
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
}
/** Returns the known accounts with these URIs or profile addresses, in this order. */
export const knownMentions = (db: Db, uris: readonly string[]): Promise<KnownMention[]> =>
  uris.length === 0 ? Promise.resolve([]) : db.query(MENTIONED, [uris]);

/** Returns an account in the form that posts mention. */
export const mentionOf = ({ id, username, domain, url }: KnownMention) => ({
  id,
  username,
  url,
  acct: domain === null ? username : `${username}@${domain}`,
});

/**
 * Returns those of these URIs or profile addresses, in their order, that no known account has. Suspended
 * accounts are known.
 */
export async function unknownAccounts(db: Db, uris: readonly string[]): Promise<string[]> {
  if (uris.length === 0) return [];
  const rows = await db.query(UNKNOWN_ACCOUNTS, [uris]);
  return rows.map(({ uri }) => uri);
}

export type KnownParent = Pick<RowOf<typeof STATUSES>, 'id' | 'account_id' | 'conversation_id'>;
/** Returns the known public post with a URI; `ownId` is the id in the URI of a local one. */
export const knownParent = async (
  db: Db,
  uri: string,
  ownId: string | null,
): Promise<KnownParent | undefined> => (await db.query(PARENT, [uri, ownId]))[0];

const REMOTE_POST = statement<{ uri: string }>(
  'federation_remote_post',
  `select s.uri from statuses s join accounts a on a.id = s.account_id
   where s.id = $1 and not s.local and s.reblog_of_id is null and ${publicToServers()}`,
);
const UNKNOWN = statement<{ uri: string }>(
  'federation_unknown_posts',
  `select n.uri from unnest($1::text[]) with ordinality as n (uri, place)
   where not exists (select from statuses s where s.uri = n.uri and not s.local) order by n.place`,
);

/** Returns the URI of a public remote post; undefined for anything else. */
export const remotePostUri = async (db: Db, statusId: string): Promise<string | undefined> =>
  (await db.query(REMOTE_POST, [statusId]))[0]?.uri;

/** Returns those of these URIs, in their order, that no known remote post has. Deleted posts are known. */
export async function unknownPosts(db: Db, uris: readonly string[]): Promise<string[]> {
  if (uris.length === 0) return [];
  const rows = await db.query(UNKNOWN, [uris]);
  return rows.map(({ uri }) => uri);
}
