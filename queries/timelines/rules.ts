import { MEMBERSHIP_JOIN } from '../lists/index.ts';
import { pageVisibleTo, pageWantedBy } from '../statuses/index.ts';
import { mentionsWantedBy } from '../visibility/statuses.ts';

/**
 * What a reader ($1) meets in the timelines that he made himself, as conditions on a status `s` with `PAGE_JOINS`. What his
 * blocks and mutes take out goes for those that a status mentions, too.
 */
export const PERSONAL = `${pageVisibleTo('$1')} and ${pageWantedBy('$1')}`;
export const MENTIONS_WANTED = `${mentionsWantedBy('$1')}
  and (s.reblog_of_id is null or ${mentionsWantedBy('$1', { status: 'o' })})`;

/** Whether the reader follows an account, given as an SQL expression. */
export const follows = (account: string): string =>
  `exists (select from home_follows g where g.account_id = $1 and g.target_account_id = ${account})`;

/**
 * What the reader wants of an author whom he follows: reblogs and languages as he chose, and answers to the author's own posts,
 * to the reader, and to whom `answered` lets pass.
 */
export const followedFor = (answered: string): string => `exists (
    select from home_follows f where f.account_id = $1 and f.target_account_id = s.account_id
      and (s.reblog_of_id is null or f.reblogs)
      and (f.languages is null or coalesce(o.language, s.language) is null
        or coalesce(o.language, s.language) = any(f.languages))
      and (s.in_reply_to_id is null or s.in_reply_to_account_id in (s.account_id, $1) or ${answered}))`;

/** Whether the author is in a list that takes its members out of the home timeline. Most readers have none. */
export const IN_EXCLUSIVE_LIST = `((select exists (select from lists where account_id = $1 and exclusive)) and exists (
    select from list_accounts m ${MEMBERSHIP_JOIN} join lists l on l.id = m.list_id
    where m.owner_id = $1 and m.account_id = s.account_id and l.exclusive))`;

/** Whether the reader follows a hashtag of a public post. */
export const HAS_FOLLOWED_TAG = `(s.visibility = 'public' and exists (
    select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = $1 where t.status_id = s.id))`;
