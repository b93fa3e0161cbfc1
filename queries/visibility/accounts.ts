import { blocks, blocksDomain, mutes } from './pairs.ts';

/**
 * The accounts in a viewer's lists: no suspended ones, none with a block between them and the viewer, and
 * none that the viewer mutes. `viewer` is an SQL expression for the viewer's account id, null without a
 * token; `account` is the alias of `accounts`. The viewer is always included.
 */
export const listedFor = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.id = ${me} or (not ${account}.suspended
    and not ${blocks(me, `${account}.id`)} and not ${blocks(`${account}.id`, me)} and not ${mutes(me, `${account}.id`)}))`;
};

/**
 * SQL: true if a viewer discovers an account, and its posts, in public timelines, threads, trends,
 * suggestions and the directory: only its followers discover a limited account. Applies in addition to the
 * other rules.
 */
export const discoverableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(not ${account}.silenced or ${account}.id is not distinct from ${me} or exists (
    select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0))`;
};

/** The accounts in lists that belong to the viewer, such as that of blocks: all but suspended ones. */
export const listedForOwner = (account = 'a'): string => `(not ${account}.suspended)`;

/**
 * SQL: true if a viewer may see an account's followers and follows: not when the account hides them, and not
 * when it blocks the viewer.
 */
export const collectionsShownTo = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(not ${account}.suspended and (${account}.id is not distinct from ${me}
    or (${account}.hide_collections is not true and not ${blocks(`${account}.id`, me)})))`;
};

/** SQL: true if a viewer may see the parts of a profile besides its posts. */
export const profileShownTo = (viewer: string, account = 'a'): string =>
  `(not ${account}.suspended and not ${blocks(`${account}.id`, `${viewer}::bigint`)})`;

/**
 * SQL: true if a post of `author` (an expression for the id of a local account) may mention an account: not
 * when the account blocks the author.
 */
export const mentionableBy = (author: string, account = 'a'): string =>
  `(not ${account}.suspended and not ${blocks(`${account}.id`, author)})`;

/**
 * SQL: true if a viewer may put an account into collections: it is discoverable and local (others must be
 * asked), and neither blocks the other. A locked account allows that to its followers only.
 */
export const featurableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.domain is null and ${account}.discoverable is true and ${featuredShownTo(viewer, account)}
    and not ${blocksDomain(`${account}.id`, `(select own.domain from accounts own where own.id = ${me})`)}
    and (not ${account}.locked or ${account}.id = ${me} or exists (
      select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0)))`;
};

/**
 * SQL: true if a remote account, which must still be asked, may be put into collections by a viewer:
 * immediately, or when its user approves.
 */
export const askableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  const says = (list: string): string =>
    `coalesce(${account}.profile::jsonb #> '{feature_policy,${list}}', '[]'::jsonb)`;
  const follows = (from: string, to: string): string =>
    `exists (select from follows fol where fol.account_id = ${from} and fol.target_account_id = ${to} offset 0)`;
  return `(${account}.domain is not null and ${featuredShownTo(viewer, account)}
    and not ${blocksDomain(me, `${account}.domain`)} and exists (
      select from jsonb_array_elements_text(${says('automatic')} || ${says('manual')}) as pol (who)
      where pol.who = 'public' or (pol.who = 'followers' and ${follows(me, `${account}.id`)})
        or (pol.who = 'following' and ${follows(`${account}.id`, me)}) offset 0))`;
};

/** SQL: true if a viewer sees an account in collections: not with a block between them. */
export const featuredShownTo = (viewer: string, account = 'a'): string =>
  `(${profileShownTo(viewer, account)} and not ${blocks(`${viewer}::bigint`, `${account}.id`)})`;

/**
 * SQL: true if a viewer sees an item `item` of a collection `c`: only the owner of the collection sees an
 * account that has not approved yet.
 */
export const itemShownTo = (viewer: string, item: string): string =>
  `(${item}.accepted or c.account_id is not distinct from ${viewer}::bigint)`;

/**
 * SQL: true if an account is found by its exact handle or address: also across blocks, because users must
 * find accounts to unblock.
 */
export const foundByHandle = (account = 'a'): string => `(not ${account}.suspended and ${letIn(account)})`;

/**
 * The accounts in a viewer's search: including muted ones; no unapproved accounts (address unconfirmed,
 * sign-up waiting), no suspended ones, and none with a block between them and the viewer.
 */
export const searchableFor = (viewer: string, account = 'a'): string =>
  `(${featuredShownTo(viewer, account)} and ${letIn(account)})`;

/**
 * The accounts in a viewer's profile directory: discoverable accounts in use that other lists would include;
 * none of a domain that the viewer blocks; limited accounts as in timelines.
 */
export const inDirectoryFor = (viewer: string, account = 'a'): string =>
  `(${account}.discoverable and ${account}.moved_to is null and not ${account}.suspended and ${letIn(account)}
    and ${listedFor(viewer, account)} and ${discoverableBy(viewer, account)} and not ${blocksDomain(`${viewer}::bigint`, `${account}.domain`)})`;

/**
 * The accounts suggested to a viewer: others that lists include, of no domain that the viewer blocks,
 * unlocked, not moved, and neither followed nor requested.
 */
export const suggestedTo = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  const ofReader = (table: string): string =>
    `exists (select from ${table} fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0)`;
  return `(${account}.id <> ${me} and ${listedFor(viewer, account)} and ${discoverableBy(viewer, account)} and not ${blocksDomain(me, `${account}.domain`)}
    and not ${account}.locked and ${account}.moved_to is null
    and not ${ofReader('follows')} and not ${ofReader('follow_requests')})`;
};

/**
 * SQL: true if an account is deleted, by its user or by staff, or on its own server. Clients get the same as for an
 * unknown one. Only staff see what is left of it.
 */
export const deleted = (account = 'a'): string => `(${account}.erased or ${account}.gone)`;

/**
 * SQL: true if an account exists for others: a new user only after approval (address confirmed, sign-up
 * approved), a remote account always, and neither once it is deleted.
 */
export const letIn = (account = 'a'): string => `(not ${deleted(account)} and not exists (
    select from users usr where usr.account_id = ${account}.id and not (usr.confirmed and usr.approved) offset 0))`;
