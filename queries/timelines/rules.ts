import { DORMANT_DAYS } from '#events/accounts.ts';
import { MEMBERSHIP_JOIN } from '../lists/index.ts';
import { pageMentionsNotMutedBy, pageNotMutedBy, pageVisibleTo } from '../statuses/index.ts';
import { factMayHold } from '../visibility/pairs.ts';

/*
 * The rules of timelines that belong to a viewer, as conditions on a status `s` with `PAGE_JOINS`. `reader`
 * is an SQL expression for their account id.
 */

/**
 * SQL: true if posts are fanned out to a viewer, a row `r` of `home_readers`. After a long absence they are
 * not, until the home timeline is filled again.
 */
export const RECEIVES_FAN_OUT = `r.active_on > (now() at time zone 'UTC')::date - ${DORMANT_DAYS}`;

/** The viewer's blocks and mutes apply to mentioned accounts too: see `pageMentionsNotMutedBy`. */
export const personal = (reader: string): string => `${pageVisibleTo(reader)} and ${pageNotMutedBy(reader)}`;

/**
 * SQL: true if the viewer follows an account, given as an expression. Without `offset 0`, each page would
 * read all followed accounts.
 */
export const follows = (reader: string, account: string): string =>
  `exists (select from home_follows g where g.account_id = ${reader} and g.target_account_id = ${account} offset 0)`;

/**
 * Replies to the author's own posts, to the viewer, and to accounts that `answered` lets pass; and posts that
 * are no replies.
 */
const repliesFor = (reader: string, answered: string): string =>
  `((s.in_reply_to_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id in (s.account_id, ${reader}) or ${answered})`;

/**
 * The posts of a followed author that the viewer wants: reblogs and languages by the settings of the follow,
 * and replies to the author's own posts, to the viewer, and to accounts that `answered` lets pass. Replies to
 * unknown posts are left out.
 */
const followedFor = (reader: string, answered: string): string => `(${repliesFor(reader, answered)}
  and exists (
    select from home_follows f where f.account_id = ${reader} and f.target_account_id = s.account_id
      and (s.reblog_of_id is null or f.reblogs)
      and (coalesce(cardinality(f.languages), 0) = 0 or coalesce(o.language, s.language) is null
        or coalesce(o.language, s.language) = any(f.languages))))`;

/**
 * SQL: true if the author is in a list that removes its members from the home timeline. Most viewers have
 * none.
 */
const inExclusiveList = (
  reader: string,
): string => `(${factMayHold('has_exclusive_lists', reader)} and exists (
    select from list_accounts m ${MEMBERSHIP_JOIN} join lists l on l.id = m.list_id
    where m.owner_id = ${reader} and m.account_id = s.account_id and l.exclusive))`;

/** While `lists` is halted, timelines leave out the members of the exclusive lists of that time (decision 1030). */
export const LAST_LISTS = ['lists'];

/** SQL: true if the viewer follows a hashtag of a public post. Most viewers follow none. */
const hasFollowedTag = (
  reader: string,
): string => `(${factMayHold('follows_tags', reader)} and s.visibility = 'public' and exists (
    select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = ${reader} where t.status_id = s.id))`;

/** SQL: true if a candidate for the viewer's home timeline belongs there. */
export const wantedAtHome = (reader: string): string =>
  `${personal(reader)} and (s.account_id = ${reader} or (
     ${pageMentionsNotMutedBy(reader)} and not ${inExclusiveList(reader)}
     and (${followedFor(reader, follows(reader, 's.in_reply_to_account_id'))} or ${hasFollowedTag(reader)})))`;

/**
 * The cheap conditions of the home timeline, about author and hashtags; `wantedAtHome` has the expensive
 * ones.
 */
export const mayBeAtHome = (reader: string): string =>
  `(s.account_id = ${reader} or ${follows(reader, 's.account_id')} or ${hasFollowedTag(reader)})`;

/** SQL: true if an account, given as an expression, is a member of a list; its owner may be one. */
export const inList = (list: string, account: string): string =>
  `(exists (select from list_accounts m ${MEMBERSHIP_JOIN} where m.list_id = ${list} and m.account_id = ${account})
    or exists (select from list_accounts m where m.list_id = ${list} and m.account_id = ${account}
      and m.owner_id = m.account_id))`;

/**
 * SQL: true if a member's status belongs in a list of the viewer; `list` and `policy` (its `replies_policy`)
 * are expressions. Members are followed, so both policies but `none` include their replies to each other.
 */
export const wantedInList = (reader: string, list: string, policy: string): string => {
  const answered = `${policy}::text = 'followed' and ${follows(reader, 's.in_reply_to_account_id')}
    or ${policy} = 'list' and ${inList(list, 's.in_reply_to_account_id')}`;
  return `s.visibility <> 'direct' and ${personal(reader)} and ${pageMentionsNotMutedBy(reader)}
    and (${followedFor(reader, answered)} or (s.account_id = ${reader} and ${repliesFor(reader, answered)}))`;
};
