import { type Db, statement } from '#kernel/read.ts';
import { quotableBy } from '../visibility/statuses.ts';

/*
 * Quotes between servers: https://w3id.org/fep/044f
 */

/** SQL: the URI of the quote authorization of a local post, below its author. */
export const quoteAuthorizationUri = (authorUri: string, quotingId: string): string =>
  `${authorUri} || '/quote_authorizations/' || ${quotingId}`;

const AUTHORIZED = statement<{ quoting: string; quoted: string }>(
  'federation_quote_stamped',
  `select s.uri as quoting, q.uri as quoted from statuses s join statuses q on q.id = s.quote_id
   where s.id = $1 and q.account_id = $2 and q.local and s.quote_state = 'accepted' and s.reblog_of_id is null
     and s.account_id <> q.account_id and not s.deleted and not q.deleted`,
);
const MAY_QUOTE = statement<{ may: boolean }>(
  'federation_may_quote',
  `select exists (select from statuses s where s.id = $1 and not s.deleted and ${quotableBy('$2')}) as may`,
);
const OWN = statement<KnownQuote & { uri: string; quoted_uri: string }>(
  'federation_own_quote',
  `select s.id, s.uri, q.id as quoted_id, q.uri as quoted_uri, q.account_id as quoted_account_id
   from statuses s join statuses q on q.id = s.quote_id
   where s.id = $1 and s.local and q.account_id = $2 and s.reblog_of_id is null and not s.deleted`,
);
/** Several quotes may name one authorization: it belongs to one of them, preferably an accepted one. */
const BY_AUTHORIZATION = statement<KnownQuote>(
  'federation_quotes_by_stamp',
  `select s.id, q.id as quoted_id, q.account_id as quoted_account_id
   from quote_authorizations z join statuses s on s.id = z.status_id join statuses q on q.id = s.quote_id
   where z.uri = $1 and q.account_id = $2 and s.quote_state in ('accepted', 'pending') and not s.deleted
   order by s.quote_state = 'accepted' desc, s.id limit 50`,
);

const PENDING = statement<PendingRow>(
  'federation_pending_stamp',
  `select s.id, s.uri, s.account_id, z.uri as authorization, q.id as quoted_id, q.uri as quoted_uri,
     q.account_id as quoted_account_id, a.uri as quoted_author_uri
   from quote_authorizations z join statuses s on s.id = z.status_id join statuses q on q.id = s.quote_id
   join accounts a on a.id = q.account_id
   where z.status_id = $1 and s.quote_state = 'pending' and not s.deleted and not q.deleted limit 1`,
);

interface PendingRow extends KnownQuote {
  uri: string;
  account_id: string;
  authorization: string;
  quoted_uri: string;
  quoted_author_uri: string;
}

/** A quote whose authorization is not verified yet. */
export interface PendingQuoteAuthorization {
  quoting: { id: string; uri: string; account_id: string };
  quoted: { id: string; uri: string; account_id: string; author_uri: string };
  authorization: string;
}

/** Returns the authorization that a pending quote names; undefined when no quote is pending. */
export async function pendingQuoteAuthorization(
  db: Db,
  quotingId: string,
): Promise<PendingQuoteAuthorization | undefined> {
  const [row] = await db.query(PENDING, [quotingId]);
  if (!row) return undefined;
  const { id, uri, account_id, authorization } = row;
  return {
    quoting: { id, uri, account_id },
    quoted: {
      id: row.quoted_id,
      uri: row.quoted_uri,
      account_id: row.quoted_account_id,
      author_uri: row.quoted_author_uri,
    },
    authorization,
  };
}

/** Returns the URIs of the two posts of a quote that a local account authorized; otherwise undefined. */
export const authorizedQuote = async (
  db: Db,
  quotingId: string,
  authorId: string,
): Promise<{ quoting: string; quoted: string } | undefined> =>
  (await db.query(AUTHORIZED, [quotingId, authorId]))[0];

/** Returns true if an account of any server may quote a post that it may see. */
export const mayQuote = async (db: Db, statusId: string, accountId: string): Promise<boolean> =>
  (await db.query(MAY_QUOTE, [statusId, accountId]))[0]?.may === true;

export interface KnownQuote {
  /** The quoting post. */
  id: string;
  quoted_id: string;
  quoted_account_id: string;
}

/** Returns a local post's quote of a remote account's post, in any state. */
export const ownQuote = async (
  db: Db,
  quotingId: string,
  quotedAccountId: string,
): Promise<(KnownQuote & { uri: string; quoted_uri: string }) | undefined> =>
  (await db.query(OWN, [quotingId, quotedAccountId]))[0];

/** Returns at most 50 quotes that name this authorization of an account. */
export const quotesByAuthorization = (db: Db, uri: string, quotedAccountId: string): Promise<KnownQuote[]> =>
  db.query(BY_AUTHORIZATION, [uri, quotedAccountId]);
