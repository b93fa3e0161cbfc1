import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { blocksDomain } from '../visibility/pairs.ts';
import type { FollowFacts } from './follow-facts.ts';

const FOLLOWERS = statement<Row>(
  'followers_to_move',
  `select f.id, f.account_id, f.reblogs, f.notify, f.languages, t.suspended, t.moved_to is not null as moved,
     t.domain is null as local, ${blocksDomain('f.account_id', 't.domain')} as domain_blocked,
     array(select m.list_id::text from list_accounts m
       where m.owner_id = f.account_id and m.account_id = $1 and m.follow_id = f.id) as list_ids
   from follows f join accounts a on a.id = f.account_id and a.domain is null join accounts t on t.id = $2
   where f.target_account_id = $1 and f.id < $3
   order by f.id desc limit $4`,
);

/** A follower of a moved account. */
export interface FollowerToMove {
  /** The id of the follow; the next page starts below it. */
  id: Id;
  account_id: Id;
  /** The follower's lists that contain the old account. */
  list_ids: Id[];
  /** The settings of the old follow. */
  settings: { reblogs: boolean; notify: boolean; languages: string[] | null };
  /** The new account as the follower sees it. Followers that it accepted before need no approval. */
  target: NonNullable<FollowFacts['target']>;
}

type Row = Pick<FollowerToMove, 'id' | 'account_id' | 'list_ids'> &
  FollowerToMove['settings'] &
  Omit<FollowerToMove['target'], 'locked'>;

/** Returns the local followers of an account, newest first, whose follows are older than `before`. */
export async function followersToMove(
  db: Db,
  { account_id, target_account_id }: { account_id: Id; target_account_id: Id },
  before: Id,
  limit: number,
): Promise<FollowerToMove[]> {
  const rows = await db.query(FOLLOWERS, [account_id, target_account_id, before, limit]);
  return rows.map(({ id, account_id, list_ids, reblogs, notify, languages, ...target }) => ({
    id,
    account_id,
    list_ids,
    settings: { reblogs, notify, languages },
    target: { ...target, locked: false },
  }));
}
