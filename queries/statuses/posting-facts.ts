import type { Visibility } from '#events/accounts.ts';
import type { QuotePolicy } from '#events/statuses.ts';
import { batcherPerDb } from '#kernel/batcher.ts';
import type { Instance, UserContext } from '#kernel/context.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, type AccountRow } from '../entities/account.ts';
import { DEFAULT_PRIVACY } from '../entities/default-privacy.ts';
import { quotableBy } from '../visibility/statuses.ts';
import { accountsOfHandles, type NamedAccounts } from './mentioned.ts';
import { meantFor } from './page.ts';
import { parentOf, type ParentStatus } from './parent.ts';

export type { ParentStatus } from './parent.ts';

/** The facts that a new post needs. */
export interface PostingFacts extends NamedAccounts {
  /** The author's default settings for posts. The language is that of the user, as in Mastodon. */
  defaults: { privacy: Visibility; sensitive: boolean; language: string | null; quote_policy: QuotePolicy };
  application: { id: string; name: string; website: string | null } | null;
  /** The parent, if it exists and the author may see it. */
  parent: ParentStatus | null;
  /** The quoted status, if it exists and the author may see it. */
  quoted: QuotedStatus | null;
}

/** The author's account before the post. */
export interface PostingAuthor extends AccountRow {
  /** The author has, or had, filters, which may match it. */
  filters: boolean;
  /** The log position up to which the counters count. */
  counted_to: string;
}

export interface QuotedStatus {
  id: string;
  account_id: string;
  visibility: Visibility;
  url: string;
  /** By the policy of its author. */
  allowed: boolean;
  /** A remote author must be asked. */
  local: boolean;
}

/** The selects around the arrays hide their lengths from the planner, as in `find.ts`. */
const AUTHOR = statement<AuthorRow>(
  'posting_author',
  `select (q.n - 1)::int as place, ${DEFAULT_PRIVACY} as privacy, u.sensitive, coalesce(u.language, u.locale) as language,
     u.quote_policy,
     p.id as app_id, p.name as app_name, p.website as app_website,
     exists (select from filter_revisions fr where fr.account_id = q.account_id) as filters,
     (select max(position) from durable.projections where name = 'accounts') as counted_to, ${ACCOUNT_COLUMNS}
   from unnest((select $1::bigint[]), (select $2::bigint[])) with ordinality as q (account_id, application_id, n)
   join users u on u.account_id = q.account_id join accounts a on a.id = q.account_id ${ACCOUNT_STATS}
   left join applications p on p.id = q.application_id`,
);
const QUOTED = statement<QuotedStatus>(
  'posting_quoted',
  `select p.id, p.account_id, p.visibility, coalesce(p.url, p.uri) as url, p.local,
     ${quotableBy('$2', { status: 'p' })} as allowed
   from statuses p where p.id = ${meantFor('$2')}`,
);

interface AuthorRow extends PostingAuthor {
  place: number;
  privacy: Visibility;
  sensitive: boolean;
  language: string | null;
  quote_policy: QuotePolicy | null;
  app_id: string | null;
  app_name: string;
  app_website: string | null;
}

/**
 * Authors who post at the same moment are looked up in one statement; one lookup at a time, because posts
 * wait for a common commit anyway.
 */
const authors = batcherPerDb<{ accountId: string; applicationId: string | null }, AuthorRow>(
  (db) => async (keys) => {
    const rows = await db.query(AUTHOR, [
      keys.map(({ accountId }) => accountId),
      keys.map(({ applicationId }) => applicationId),
    ]);
    const found = new Map(rows.map((row) => [row.place, row]));
    return keys.map((_, place) => found.get(place));
  },
  { maxConcurrent: 1 },
);

/**
 * Gathers the facts, with a statement only for the parts that the post has. `handles` are in lower case,
 * without a leading @.
 */
export async function postingFacts(
  db: Db,
  instance: Instance,
  post: {
    accountId: string;
    applicationId: string | null;
    inReplyToId: string | null;
    quotedId: string | null;
    handles: readonly string[];
  },
): Promise<PostingFacts & { author: PostingAuthor | undefined }> {
  const [author, parent, quoted, named] = await Promise.all([
    authors(db).get(post),
    post.inReplyToId === null ? null : parentOf(db, post.inReplyToId, post.accountId),
    post.quotedId === null ? null : one(db, QUOTED, post.quotedId, post.accountId),
    accountsOfHandles(db, instance, post.handles, { authorId: post.accountId }),
  ]);
  return {
    defaults: {
      privacy: author?.privacy ?? 'public',
      sensitive: author?.sensitive ?? false,
      language: author?.language ?? null,
      quote_policy: author?.quote_policy ?? 'public',
    },
    application:
      author?.app_id == null
        ? null
        : { id: author.app_id, name: author.app_name, website: author.app_website },
    author,
    parent,
    quoted,
    ...named,
  };
}

/** Returns the audience of this user's posts by default. */
export async function defaultPrivacy({ db, viewer, token }: UserContext): Promise<Visibility> {
  const author = await authors(db).get({ accountId: viewer.account_id, applicationId: token.application_id });
  return author?.privacy ?? 'public';
}

async function one<Row>(db: Db, query: Statement<Row>, id: string, readerId: string): Promise<Row | null> {
  const [row] = await db.query(query, [id, readerId]);
  return row ?? null;
}
