import { isId } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { knownToServers } from '../visibility/federation.ts';
import { hasPolicy } from '../visibility/interaction-policies.ts';
import { visibleTo } from '../visibility/statuses.ts';

/* Finds objects that activities name by URI. */

const LOCAL_ACCOUNTS = statement<{ id: string; uri: string }>(
  'federation_local_accounts',
  `select a.id, a.uri from accounts a
   where (a.uri = any($1) or a.url = any($1)) and not a.suspended and ${knownToServers()} limit 1000`,
);
const COLUMNS = `s.id, s.account_id, s.visibility, s.conversation_id, s.local, s.poll_id, ${hasPolicy('s.id')} as policied`;
/** Selects remote posts by URI, and local ones by the id in it. */
const BY_URI = `((s.uri = $1 and not s.local) or (s.id = $2 and s.uri = $1)) and s.reblog_of_id is null`;
const SEEN_BY_URI = statement<PostOfUri>(
  'federation_seen_by_uri',
  `select ${COLUMNS} from statuses s join accounts a on a.id = s.account_id
   where ${BY_URI} and ${visibleTo('$3')} limit 1`,
);
const SEEN_BY_ID = statement<PostOfUri>(
  'federation_seen_by_id',
  `select ${COLUMNS} from statuses s join accounts a on a.id = s.account_id where s.id = $1 and ${visibleTo('$2')}`,
);
const ANY_BY_URI = statement<PostOfUri>(
  'federation_any_by_uri',
  `select ${COLUMNS} from statuses s where ${BY_URI} limit 1`,
);
const OURS = statement<{ id: string; account_id: string }>(
  'federation_ours_by_uris',
  `select s.id, s.account_id from statuses s
   where s.id = any($1) and s.uri = any($2) and s.local and s.reblog_of_id is null order by s.id`,
);
const OF_AUTHOR = statement<RemotePost>(
  'federation_of_author',
  `select s.id, s.reblog_of_id, o.account_id as reblog_account_id from statuses s
   left join statuses o on o.id = s.reblog_of_id
   where s.uri = $1 and not s.local and s.account_id = $2 and not s.deleted limit 1`,
);
/** Returns the federated local accounts with these URIs or profile addresses. */
export const localAccounts = (db: Db, uris: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  uris.length === 0 ? Promise.resolve([]) : db.query(LOCAL_ACCOUNTS, [uris]);

/** A post that an activity names. */
export interface PostOfUri {
  id: string;
  account_id: string;
  visibility: 'public' | 'unlisted' | 'private' | 'direct';
  conversation_id: string;
  local: boolean;
  poll_id: string | null;
  /** Its interaction policy does not allow everything to everyone. */
  policied: boolean;
}

/** Returns the id in a URI of this server; null for all others, and for one without an id. */
export function ownIdIn(uri: string, { origin }: { origin: string }): string | null {
  const id = uri.startsWith(`${origin}/`) ? /\/statuses\/([0-9]+)$/.exec(uri)?.[1] : undefined;
  return id !== undefined && isId(id) ? id : null;
}

/** Returns a post by its URI, if an account of any server may see it. */
export const postSeenBy = async (
  db: Db,
  instance: { origin: string },
  uri: string,
  accountId: string,
): Promise<PostOfUri | undefined> =>
  (await db.query(SEEN_BY_URI, [uri, ownIdIn(uri, instance), accountId]))[0];

/** Like `postSeenBy`, by id. */
export const knownPostSeenBy = async (
  db: Db,
  id: string,
  accountId: string,
): Promise<PostOfUri | undefined> => (await db.query(SEEN_BY_ID, [id, accountId]))[0];

/** Returns a post by its URI, at any visibility: for undoing. */
export const postOfUri = async (
  db: Db,
  instance: { origin: string },
  uri: string,
): Promise<PostOfUri | undefined> => (await db.query(ANY_BY_URI, [uri, ownIdIn(uri, instance)]))[0];

/** Returns local posts by their URIs, at any visibility. */
export function postsOfUris(
  db: Db,
  instance: { origin: string },
  uris: readonly string[],
): Promise<{ id: string; account_id: string }[]> {
  const ids = uris.flatMap((uri) => ownIdIn(uri, instance) ?? []);
  return ids.length === 0 ? Promise.resolve([]) : db.query(OURS, [ids, uris]);
}

/** A post or a reblog of a remote account. */
export interface RemotePost {
  id: string;
  reblog_of_id: string | null;
  reblog_account_id: string | null;
}

/** Returns a remote account's post with this URI, unless it is deleted. */
export const remotePostOf = async (db: Db, uri: string, accountId: string): Promise<RemotePost | undefined> =>
  (await db.query(OF_AUTHOR, [uri, accountId]))[0];
