import type { Visibility } from '#events/accounts.ts';
import { type Db, statement } from '#kernel/read.ts';
import { shownDomain } from '../entities/handles.ts';
import type { PollRow } from '../entities/poll.ts';
import { pollOfStatus } from '../entities/poll.ts';
import { publicToServers, servedTo, wasPublicToServers } from '../visibility/federation.ts';
import { isRequested } from '../visibility/interaction-policies.ts';
import { replyAuthorizationUri } from './authorizations.ts';
import { quoteAuthorizationUri } from './quotes.ts';

/** The verified signer of a request. */
export interface Signer {
  uri: string;
  /** The host of `uri`, with its port if there is one. */
  host: string;
}

/** A local post, or a reblog by a local account, as other servers see it. */
export interface LocalPost {
  id: string;
  uri: string;
  url: string | null;
  visibility: Visibility;
  /** ISO 8601. */
  created_at: string;
  edited_at: string | null;
  /** A JSON string: HTML. */
  content: string;
  /** The text as it was typed; null for a reblog. */
  text: string | null;
  spoiler_text: string;
  sensitive: boolean;
  language: string | null;
  quote_policy: 'public' | 'followers' | 'nobody';
  /** A ready JSON array; null without media. */
  media: string | null;
  emojis: string | null;
  /** A ready JSON object: the card of the page that it links to; null for none. */
  card: string | null;
  account_id: string;
  author_uri: string;
  in_reply_to: string | null;
  /** The authorization by the author of the post that it replies to or reblogs; null when none is needed. */
  authorization: string | null;
  /** The quoted post, also while the quote is pending; null for none. */
  quote: string | null;
  /** The authorization of the quote; null when none is needed, or none exists yet. */
  quote_authorization: string | null;
  conversation_id: string;
  mentions: { uri: string; username: string; domain: string | null }[];
  /** In normal form. */
  tags: string[];
  poll: PollRow | null;
  replies_count: number;
  reblogs_count: number;
  favourites_count: number;
  /** For a reblog: the reblogged post, and its author. */
  reblog_of: string | null;
  reblog_of_author: string | null;
}

const ORIGINAL = { status: 'o', author: 'oa' };
const FORM = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;

const COLUMNS = `s.id, s.uri, s.url, s.visibility, s.content, s.text, s.spoiler_text, s.sensitive, s.language, s.quote_policy, s.media,
  s.emojis, s.card, s.conversation_id, s.account_id, a.uri as author_uri, par.uri as in_reply_to,
  case when par.local then case when par.visibility = 'private' and par.account_id <> s.account_id
      then ${replyAuthorizationUri('para.uri', 's.id')} end
    else (select iau.uri from interaction_authorizations iau where iau.id = s.id) end as authorization,
  case when s.quote_state in ('accepted', 'pending') then quo.uri end as quote,
  case when s.quote_state = 'accepted' and quo.account_id <> s.account_id then
    case when quo.local then ${quoteAuthorizationUri('quoa.uri', 's.id')}
      else (select z.uri from quote_authorizations z where z.status_id = s.id) end end as quote_authorization, o.uri as reblog_of, oa.uri as reblog_of_author,
  to_char(s.created_at at time zone 'UTC', ${FORM}) as created_at,
  to_char(s.edited_at at time zone 'UTC', ${FORM}) as edited_at,
  (select coalesce(json_agg(json_build_object('uri', m.uri, 'username', m.username, 'domain', ${shownDomain('m')}) order by m.id), '[]')
   from status_mentions sm join accounts m on m.id = sm.account_id where sm.status_id = s.id) as mentions,
  (select coalesce(json_agg(t.tag order by t.tag), '[]') from status_tags t where t.status_id = s.id) as tags,
  ${pollOfStatus('null::bigint')} as poll, coalesce(st.replies_count, 0) as replies_count,
  coalesce(st.reblogs_count, 0) as reblogs_count, coalesce(st.favourites_count, 0) as favourites_count`;
const JOINS = `join accounts a on a.id = s.account_id left join status_stats st on st.status_id = s.id
  left join statuses par on par.id = s.in_reply_to_id
  left join accounts para on para.id = par.account_id left join statuses quo on quo.id = s.quote_id
  left join accounts quoa on quoa.id = quo.account_id
  left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id`;
/**
 * Other servers get a reblog when the original is public, or when followers get their author's own post
 * again.
 */
const REBLOG_SHOWN = `(s.reblog_of_id is null or ${publicToServers(ORIGINAL)}
  or (s.visibility = 'private' and o.visibility = 'private' and o.account_id = s.account_id and not o.deleted))`;

const POST = statement<Row & { gone: boolean }>(
  'federation_post',
  `select ${COLUMNS}, ${wasPublicToServers()} as gone from statuses s ${JOINS}
   where s.id = $1 and s.account_id = $2 and s.local
     and (${wasPublicToServers()} or (${servedTo({ host: '$3::text', uri: '$4::text' })} and ${REBLOG_SHOWN}))`,
);
const OUTBOX = statement<Row>(
  'federation_outbox',
  `select ${COLUMNS} from statuses s ${JOINS}
   where s.account_id = $1 and s.id < $2 and not s.deleted and ${publicToServers()} and ${REBLOG_SHOWN}
   order by s.id desc limit $3`,
);
const OUTBOX_ABOVE = statement<Row>(
  'federation_outbox_above',
  `select ${COLUMNS} from statuses s ${JOINS}
   where s.account_id = $1 and s.id > $2 and not s.deleted and ${publicToServers()} and ${REBLOG_SHOWN}
   order by s.id limit $3`,
);
const PINNED = statement<Row>(
  'federation_pinned',
  `select ${COLUMNS} from status_pins p join statuses s on s.id = p.status_id ${JOINS}
   where p.account_id = $1 and ${publicToServers()} order by p.pin_id desc limit 40`,
);
const OWN = statement<Row>(
  'federation_own_posts',
  `select ${COLUMNS} from statuses s ${JOINS}
   where s.account_id = $1 and s.id > $2 and s.local and not s.deleted and o.deleted is not true and not ${isRequested('s.id')}
   order by s.id limit $3`,
);
const TO_SEND = statement<Row>(
  'federation_post_to_send',
  `select ${COLUMNS} from statuses s ${JOINS}
   where s.id = $1 and s.local and not s.deleted and not a.suspended and ${REBLOG_SHOWN}`,
);

type Row = Omit<LocalPost, 'poll'> & { poll: string | null };

/**
 * Returns a local account's post or reblog if `signer` may fetch it; `gone` when it was public and is
 * deleted; undefined in all other cases, which the caller cannot distinguish.
 */
export async function localPost(
  db: Db,
  accountId: string,
  id: string,
  signer: Signer | undefined,
): Promise<LocalPost | 'gone' | undefined> {
  const [row] = await db.query(POST, [id, accountId, signer?.host ?? null, signer?.uri ?? null]);
  if (!row) return undefined;
  return row.gone ? 'gone' : postOf(row);
}

/** Returns the public posts and reblogs of an account below an id, newest first. */
export const outboxBelow = async (
  db: Db,
  accountId: string,
  before: string,
  limit: number,
): Promise<LocalPost[]> => (await db.query(OUTBOX, [accountId, before, limit])).map(postOf);

/** Returns the oldest public posts and reblogs of an account above an id, newest first. */
export const outboxAbove = async (
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<LocalPost[]> => (await db.query(OUTBOX_ABOVE, [accountId, after, limit])).map(postOf).reverse();

/**
 * Returns all posts and reblogs of an account above an id, at any visibility, oldest first: for the account
 * itself.
 */
export const ownPostsAbove = async (
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<LocalPost[]> => (await db.query(OWN, [accountId, after, limit])).map(postOf);

/** Returns the public pinned posts of an account. */
export const pinnedPosts = async (db: Db, accountId: string): Promise<LocalPost[]> =>
  (await db.query(PINNED, [accountId])).map(postOf);

/**
 * Returns a post or a reblog of a local user with its audience; undefined when it is deleted or has no remote
 * audience.
 */
export const postToSend = async (db: Db, id: string): Promise<LocalPost | undefined> => {
  const [row] = await db.query(TO_SEND, [id]);
  return row && postOf(row);
};

const postOf = (row: Row): LocalPost => ({
  ...row,
  poll: row.poll === null ? null : (JSON.parse(row.poll) as PollRow),
});
