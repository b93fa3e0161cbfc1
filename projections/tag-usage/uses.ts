import { type Db, statement } from '#kernel/read.ts';
import {
  batch,
  bigint,
  boolean,
  date,
  integer,
  table,
  text,
  textC,
  timestamptz,
} from '#kernel/table/index.ts';

/** A post and a hashtag that it has, or had when it was published. `day` is a date in UTC. */
interface Tagged {
  account_id: string;
  status_id: string;
  tag: string;
  day: string;
  public: boolean;
  /** The post has the hashtag now. */
  carried: boolean;
  /** The post was published with the hashtag: a use on that day, whatever edits do. */
  counted: boolean;
  /** ISO 8601; absent when the use is undone. */
  used_at?: string;
}

export const STATUSES = table(
  'tagged_statuses',
  {
    account_id: bigint,
    status_id: bigint,
    tag: textC,
    day: date,
    public: boolean,
    carried: boolean,
    counted: boolean,
  },
  ['account_id', 'status_id', 'tag'],
);
export const insert = STATUSES.insert().from;
const DELETE = statement<Tagged>(
  'tagged_statuses_delete',
  `delete from tagged_statuses t using unnest($1::bigint[], $2::bigint[]) as n (account_id, status_id)
   where t.account_id = n.account_id and t.status_id = n.status_id
   returning t.account_id, t.status_id, t.tag, t.day::text, t.public, t.carried, t.counted`,
);
const COUNT_OF_ACCOUNT = batch(
  'account_tags_count',
  { account_id: bigint, tag: text, by: integer },
  (rows) => `insert into account_tags as a (account_id, tag, statuses_count)
   select account_id, tag, sum(by) from ${rows}
   group by account_id, tag
   on conflict (account_id, tag) do update set statuses_count = a.statuses_count + excluded.statuses_count`,
);
/** An account counts once a day: when its own uses of that day become more than none, or none again. */
const COUNT_OF_DAY = batch(
  'tag_usage_count',
  { tag: text, day: date, account_id: bigint, by: integer, used_at: timestamptz.orNull },
  (rows) => `with delta as (
     select tag, day, account_id, sum(by)::int as n, min(used_at) as used_at
     from ${rows}
     group by tag, day, account_id
   ), used as (
     insert into tag_account_days as t (tag, day, account_id, uses, used_at) select * from delta
     on conflict (tag, day, account_id) do update
       set uses = t.uses + excluded.uses, used_at = least(t.used_at, excluded.used_at)
     returning tag, day, account_id, uses
   )
   insert into tag_usage as u (tag, day, uses, accounts)
   select tag, day, sum(delta.n), sum((used.uses > 0)::int - (used.uses - delta.n > 0)::int)
   from used join delta using (tag, day, account_id) group by tag, day
   on conflict (tag, day) do update set uses = u.uses + excluded.uses, accounts = u.accounts + excluded.accounts`,
);

export const isCounted = ({ visibility }: { visibility: string }): boolean =>
  visibility === 'public' || visibility === 'unlisted';

export function taggedOf(data: {
  id: string;
  account_id: string;
  visibility: string;
  created_at: string;
  tags: readonly { normal: string }[];
}): Tagged[] {
  if (!isCounted(data)) return [];
  return [...new Set(data.tags.map(({ normal }) => normal))].map((tag) => ({
    account_id: data.account_id,
    status_id: data.id,
    tag,
    day: data.created_at.slice(0, 10),
    public: data.visibility === 'public',
    carried: true,
    counted: true,
    used_at: data.created_at,
  }));
}

const keyOf = ({ status_id, tag }: Tagged): string => `${status_id} ${tag}`;

/** Returns the hashtags that posts have after an edit, and those that they were published with. */
export function edited(before: readonly Tagged[], tagged: readonly Tagged[]): Tagged[] {
  const made = new Map(before.filter(({ counted }) => counted).map((each) => [keyOf(each), each]));
  const now = new Set(tagged.map(keyOf));
  return [
    ...tagged.map((each) => ({ ...each, counted: made.has(keyOf(each)) })),
    ...[...made].flatMap(([key, each]) => (now.has(key) ? [] : [{ ...each, carried: false }])),
  ];
}

export const remove = (statuses: readonly { id: string; account_id: string }[], db: Db): Promise<Tagged[]> =>
  db.query(DELETE, [statuses.map(({ account_id }) => account_id), statuses.map(({ id }) => id)]);

/** An additional use, or an undone one. */
type Count = Tagged & { by: 1 | -1 };

export const counts = (tagged: readonly Tagged[], by: 1 | -1): Count[] =>
  tagged.map((each) => ({ ...each, by }));

export const count = async (uses: readonly Count[], db: Db): Promise<void> => {
  await countOfAccounts(uses, db);
  await COUNT_OF_DAY.from(
    uses.filter((each) => each.public && each.counted),
    db,
  );
};

export const countOfAccounts = (uses: readonly Count[], db: Db): Promise<void> =>
  COUNT_OF_ACCOUNT.from(
    uses.filter(({ carried }) => carried),
    db,
  );
