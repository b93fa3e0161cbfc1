import { type Db, type Statement, statement } from '#kernel/read.ts';

/* The remains of an account, newest first: at most `limit` items with ids below `before`. */

const POSTS = statement<Post>(
  'erasure_posts',
  `select s.id, s.reblog_of_id, o.account_id as reblog_account_id
   from statuses s left join statuses o on o.id = s.reblog_of_id
   where s.account_id = $1 and s.id < $2 and not s.deleted order by s.id desc limit $3`,
);
const favourites = (column: 'favourite_id' | 'favourite_request_id'): string =>
  `(select i.${column} as id, i.status_id, s.account_id as status_account_id
    from interactions i join statuses s on s.id = i.status_id
    where i.account_id = $1 and i.${column} < $2 and i.${column} is not null order by i.${column} desc limit $3)`;
/** Those that wait for approval among them. */
const FAVOURITES = statement<Favourite>(
  'erasure_favourites',
  `${favourites('favourite_id')} union all ${favourites('favourite_request_id')} order by id desc limit $3`,
);
/** Each branch reads one index in order. */
const branch = (table: string, own: string, other: string): string =>
  `(select id, ${other} as other_id from ${table} where ${own} = $1 and id < $2 order by id desc limit $3)`;
const PEOPLE = statement<Belonging & { other_id: string }>(
  'erasure_people',
  `${['follows', 'follow_requests']
    .flatMap((table) => [
      branch(table, 'account_id', 'target_account_id'),
      branch(table, 'target_account_id', 'account_id'),
    ])
    .join(' union all ')} order by id desc limit $3`,
);
const SCHEDULED = statement<Belonging>(
  'erasure_scheduled',
  'select id from scheduled_statuses where account_id = $1 and id < $2 order by id desc limit $3',
);
const MEDIA = statement<Belonging>(
  'erasure_media',
  'select id from media_attachments where account_id = $1 and id < $2 order by id desc limit $3',
);

interface Belonging {
  id: string;
}

/** A post, or a reblog of another one. */
export interface Post extends Belonging {
  reblog_of_id: string | null;
  /** The author of the reblogged post. */
  reblog_account_id: string | null;
}

/** `id` is that of the favourite. */
export interface Favourite extends Belonging {
  status_id: string;
  status_account_id: string;
}

const listed =
  <Row extends Belonging>(select: Statement<Row>) =>
  (db: Db, accountId: string, before: string, limit: number): Promise<Row[]> =>
    db.query(select, [accountId, before, limit]);

/** Posts that are not deleted, and reblogs. */
export const postsOf = listed(POSTS);
export const favouritesOf = listed(FAVOURITES);
/** Returns follows and requests of the account and towards it; `id` is that of the follow or request. */
export const peopleAround = listed(PEOPLE);
export const scheduledOf = listed(SCHEDULED);
/** Uploads, attached or not. */
export const mediaOf = listed(MEDIA);
