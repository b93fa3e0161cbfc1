import { DORMANT_DAYS } from '#events/accounts.ts';
import { type Db, statement } from '#kernel/read.ts';

/**
 * A post with more recently active recipients is not fanned out: its column `wide` is true, and readers find it in
 * `home_posts`. This bounds the work for one post.
 */
export const MAX_FAN_OUT = 20_000;

/**
 * Stores posts, and fans them out: to followers of the author, or of a direct post to the mentioned
 * followers. The author's entry exists already from before the approval.
 */
const ARRIVE = statement(
  'home_arrive',
  `with post as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::date[]) as p (account_id, status_id, direct, day)
   ), reached as materialized (
     select p.status_id, f.account_id from post p cross join lateral (
       select f.account_id from home_follows f join home_readers r on r.account_id = f.account_id
       where f.target_account_id = p.account_id and r.active_on > p.day - ${DORMANT_DAYS}
       limit ${MAX_FAN_OUT + 1}
     ) f where not p.direct
   ), wide as materialized (
     select status_id from reached group by status_id having count(*) > ${MAX_FAN_OUT}
   ), posted as (
     insert into home_posts (account_id, status_id, wide, direct)
     select p.account_id, p.status_id, exists (select from wide w where w.status_id = p.status_id), p.direct from post p
     on conflict (account_id, status_id) do update set wide = excluded.wide, direct = excluded.direct
   ), wrote as (
     insert into home_authors (account_id, newest_id, wide_id)
     select p.account_id, max(p.status_id), max(w.status_id)
     from post p left join wide w on w.status_id = p.status_id group by p.account_id
     on conflict (account_id) do update set
       newest_id = greatest(home_authors.newest_id, excluded.newest_id),
       wide_id = greatest(home_authors.wide_id, excluded.wide_id)
   )
   insert into home_entries (account_id, status_id)
   select account_id, status_id from reached where status_id not in (select status_id from wide)
   union all
   select p.account_id, p.status_id from post p join home_readers r on r.account_id = p.account_id
   where r.active_on > p.day - ${DORMANT_DAYS}
   on conflict do nothing`,
);
const ARRIVE_DIRECTLY = statement(
  'home_arrive_directly',
  `insert into home_entries (account_id, status_id)
   select f.account_id, p.status_id
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[]) as p (account_id, status_id, mentioned_id, day)
   join home_follows f on f.target_account_id = p.account_id and f.account_id = p.mentioned_id
   join home_readers r on r.account_id = f.account_id
   where r.active_on > p.day - ${DORMANT_DAYS}
   on conflict do nothing`,
);
export const LEAVE = statement(
  'home_posts_delete',
  `delete from home_posts p using unnest($1::bigint[], $2::bigint[]) as n (account_id, status_id)
   where p.account_id = n.account_id and p.status_id = n.status_id`,
);
const NEWEST_AGAIN = statement(
  'home_authors_newest_again',
  `update home_authors a set newest_id =
     (select p.status_id from home_posts p where p.account_id = a.account_id order by p.status_id desc limit 1)
   where a.account_id = any($1::bigint[])`,
);

/** The posts that one author publishes at one time; a reblog counts as a post. */
export interface Arrival {
  id: string;
  account_id: string;
  visibility: string;
  created_at: string;
  mentions?: readonly { id: string }[];
}

export async function arrive(posts: readonly Arrival[], db: Db): Promise<void> {
  await Promise.all([db.query(ARRIVE, [...postColumns(posts), posts.map(dayOf)]), arriveDirectly(posts, db)]);
}

export const postColumns = (posts: readonly Arrival[]): unknown[][] => [
  posts.map(({ account_id }) => account_id),
  posts.map(({ id }) => id),
  posts.map(({ visibility }) => visibility === 'direct'),
];

/** Returns posts that wait for approval: only their authors have them. */
export const requestsOf = (events: readonly { data: Arrival }[]): Arrival[] =>
  events.map(({ data: { id, account_id, created_at } }) => ({
    id,
    account_id,
    created_at,
    visibility: 'direct',
  }));

/** Fans direct posts out to the accounts that they now mention. */
export async function arriveDirectly(posts: readonly Arrival[], db: Db): Promise<void> {
  const mentions = posts
    .filter(({ visibility }) => visibility === 'direct')
    .flatMap((post) => (post.mentions ?? []).map(({ id: mentioned }) => ({ post, mentioned })));
  if (mentions.length === 0) return;
  await db.query(ARRIVE_DIRECTLY, [
    mentions.map(({ post }) => post.account_id),
    mentions.map(({ post }) => post.id),
    mentions.map(({ mentioned }) => mentioned),
    mentions.map(({ post }) => dayOf(post)),
  ]);
}

/** The entries of a deleted post stay: reads join `statuses`, which excludes it. */
export async function leave(posts: readonly Pick<Arrival, 'id' | 'account_id'>[], db: Db): Promise<void> {
  const authors = posts.map(({ account_id }) => account_id);
  await db.query(LEAVE, [authors, posts.map(({ id }) => id)]);
  await db.query(NEWEST_AGAIN, [authors]);
}

const dayOf = ({ created_at }: Arrival): string => created_at.slice(0, 10);
