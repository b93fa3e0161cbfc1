import { type Db, statement } from '#kernel/read.ts';
import { deliverableTo } from '../visibility/federation.ts';
import { blocksDomain } from '../visibility/pairs.ts';

/** The remote recipients of an activity. */
export interface Audience {
  /** The followers of this account. */
  followersOf?: string | null;
  accounts?: readonly (string | null)[];
  /** The accounts that this post mentions. */
  mentionedIn?: string;
  /** The author of this post. */
  authorOf?: string;
  /** The servers that got this post or reblog, or will get it. */
  receiversOf?: string;
  /** The voters in this poll. */
  votersIn?: string;
  /** The members of this collection, and the accounts that were asked to be members. */
  membersOf?: string;
  /** The servers that got one of the newest posts of this account. */
  readersOf?: string;
  /** Every known account. */
  everybody?: boolean;
  /** Addresses each account's own inbox, even when its server has a shared one. */
  personally?: boolean;
  /** Also accounts of suspended servers. */
  farewell?: boolean;
  /** The author: accounts and servers with a block between them and the author get nothing. */
  author?: string;
}

/** The number of posts that are searched for servers that may know their author. */
const NEWEST = 200;

const RECIPIENTS = statement<{ inbox: string | null; unknown: string | null }>(
  'federation_recipients',
  `select case when $6 then r.inbox else coalesce(r.shared_inbox, r.inbox) end as inbox,
     case when r.inbox is null then a.uri end as unknown
   from (
     select f.account_id from follows f where f.target_account_id = $1
     union all select unnest($2::bigint[])
     union all select s.account_id from statuses s where s.id = $3
     union all select men.account_id from status_mentions men where men.status_id = $9
     union all select k.account_id from remote_inboxes k where $5
     union all select v.account_id from poll_votes v where v.poll_id = $10
     union all select i.account_id from collection_items i where i.collection_id = $13
   ) told (account_id)
   join remote_inboxes r on r.account_id = told.account_id
   join accounts a on a.id = told.account_id
   where ${deliverableTo({ author: '$7::bigint', limited: '$8', farewell: '$12::boolean' })}
   union
   select p.inbox, null from (
     select s.id from statuses s where s.account_id = $11 and not s.deleted order by s.id desc limit ${NEWEST}
   ) recent join durable.federation_receipts p on p.status_id = recent.id
   where not ${blocksDomain('$11::bigint', "split_part(p.inbox, '/', 3)")}
   union
   select p.inbox, null from durable.federation_receipts p where p.status_id = $4
   union
   select d.inbox, null from durable.federation_activities act
   join durable.federation_deliveries d on d.activity_id = act.id where act.status_id = $4`,
);

/** Inboxes, each once, and the URIs of accounts with an unknown inbox. */
export interface Recipients {
  inboxes: string[];
  unknown: string[];
}

/** Returns the recipients on other servers, except those that this server does not federate with. */
export async function recipientsOf(
  { db, instance }: { db: Db; instance: { limitedFederation: boolean } },
  audience: Audience,
): Promise<Recipients> {
  const { followersOf, accounts = [], mentionedIn, authorOf, receiversOf, votersIn, readersOf } = audience;
  const { everybody, personally, farewell, author, membersOf } = audience;
  const rows = await db.query(RECIPIENTS, [
    followersOf ?? null,
    accounts.filter((id) => id !== null),
    authorOf ?? null,
    receiversOf ?? null,
    everybody === true,
    personally === true,
    author ?? null,
    instance.limitedFederation,
    mentionedIn ?? null,
    votersIn ?? null,
    readersOf ?? null,
    farewell === true,
    membersOf ?? null,
  ]);
  return {
    inboxes: rows.flatMap(({ inbox }) => inbox ?? []),
    unknown: rows.flatMap(({ unknown }) => unknown ?? []),
  };
}
