import { statement, type Db } from '../../src/kernel/read.ts';
import { publicToServers } from '../visibility/federation.ts';

/** An account of another server that is known here. */
export interface KnownActor {
  id: string;
  username: string;
  domain: string;
  /** Or gone. */
  suspended: boolean;
}

const ACTOR = statement(
  'federation_known_actor',
  'select id, username, domain, suspended from accounts where uri = $1 and domain is not null limit 1',
);
const REMOTE_URI = statement(
  'federation_remote_uri',
  'select uri from accounts where id = $1 and domain is not null',
);
const MENTIONED = statement(
  'federation_mentioned',
  `select id, username, domain, uri, url from accounts where uri = any($1) and not suspended limit 1000`,
);
/** Of another server by its URI, of ours by its id and its URI. */
const PARENT = statement(
  'federation_parent',
  `select s.id, s.account_id, s.conversation_id from statuses s join accounts a on a.id = s.account_id
   where ((s.uri = $1 and not s.local) or (s.id = $2 and s.uri = $1)) and s.reblog_of_id is null and ${publicToServers()}
   limit 1`,
);

export const knownActor = async (db: Db, uri: string): Promise<KnownActor | undefined> =>
  (await db.query<KnownActor>(ACTOR, [uri]))[0];

/** The URI of an account of another server; undefined for one of ours. */
export const remoteUriOf = async (db: Db, accountId: string): Promise<string | undefined> =>
  (await db.query<{ uri: string }>(REMOTE_URI, [accountId]))[0]?.uri;

export interface KnownMention {
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
}
/** Those of these URIs that are accounts known here. */
export const knownMentions = (db: Db, uris: readonly string[]): Promise<KnownMention[]> =>
  uris.length === 0 ? Promise.resolve([]) : db.query<KnownMention>(MENTIONED, [uris]);

export interface KnownParent {
  id: string;
  account_id: string;
  conversation_id: string;
}
/** The public post of a URI, as far as it is known here; `ownId` is the id in it where it is one of ours. */
export const knownParent = async (
  db: Db,
  uri: string,
  ownId: string | null,
): Promise<KnownParent | undefined> => (await db.query<KnownParent>(PARENT, [uri, ownId]))[0];
