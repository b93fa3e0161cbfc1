import { blocks, blocksDomain, mutes } from './pairs.ts';

/**
 * The accounts that a reader finds in lists: no suspended ones, and none with a block between them and the
 * reader, or muted by the reader. `viewer` is an SQL expression for the reader's account id, null for a
 * reader without a token; `account` is the alias of `accounts`. The reader is always found.
 */
export const listedFor = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.id = ${me} or (not ${account}.suspended
    and not ${blocks(me, `${account}.id`)} and not ${blocks(`${account}.id`, me)} and not ${mutes(me, `${account}.id`)}))`;
};

/**
 * Whether a reader sees an account, and its posts, without asking for it (public timelines, threads, trends,
 * suggestions, the directory): only its followers see a limited account. Applies besides the other rules.
 */
export const discoverableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(not ${account}.silenced or ${account}.id is not distinct from ${me} or exists (
    select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0))`;
};

/** The accounts that a reader finds in their own lists, such as that of blocks: all but suspended ones. */
export const listedForOwner = (account = 'a'): string => `(not ${account}.suspended)`;

/**
 * Whether a reader may see who follows an account and whom it follows: not where the account keeps that to itself, and
 * not where it blocks the reader.
 */
export const collectionsShownTo = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(not ${account}.suspended and (${account}.id is not distinct from ${me}
    or (${account}.hide_collections is not true and not ${blocks(`${account}.id`, me)})))`;
};

/** Whether a reader may see what an account shows on its profile besides its posts. */
export const profileShownTo = (viewer: string, account = 'a'): string =>
  `(not ${account}.suspended and not ${blocks(`${account}.id`, `${viewer}::bigint`)})`;

/**
 * Whether a post of `author` (an SQL expression for the id of an account of this server) may mention an account: those who
 * block the author are left in peace.
 */
export const mentionableBy = (author: string, account = 'a'): string =>
  `(not ${account}.suspended and not ${blocks(`${account}.id`, author)})`;

/**
 * Whether an account lets itself be put into collections by a reader: it is to be discovered, is of this server (others would
 * have to be asked), and neither blocks the other. A locked account lets its followers do so.
 */
export const featurableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.domain is null and ${account}.discoverable is true and ${featuredShownTo(viewer, account)}
    and not ${blocksDomain(`${account}.id`, `(select own.domain from accounts own where own.id = ${me})`)}
    and (not ${account}.locked or ${account}.id = ${me} or exists (
      select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0)))`;
};

/**
 * Whether an account of another server, which has yet to be asked, lets itself be put into collections by a reader: at once, or once its
 * user agrees.
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

/** Whether a reader finds an account in collections: none with a block between them. */
export const featuredShownTo = (viewer: string, account = 'a'): string =>
  `(${profileShownTo(viewer, account)} and not ${blocks(`${viewer}::bigint`, `${account}.id`)})`;

/**
 * Whether a reader sees an item `item` of a collection `c`: an account that has yet to agree is seen by the owner of the collection
 * alone.
 */
export const itemShownTo = (viewer: string, item: string): string =>
  `(${item}.accepted or c.account_id is not distinct from ${viewer}::bigint)`;

/**
 * Whether an account is found by its exact handle or address: across blocks too, because users need to find
 * accounts to unblock.
 */
export const foundByHandle = (account = 'a'): string => `(not ${account}.suspended and ${letIn(account)})`;

/**
 * The accounts that a reader finds by searching: muted ones too; no unapproved accounts (address unconfirmed,
 * sign-up waiting), no suspended ones, and none with a block between them and the reader.
 */
export const searchableFor = (viewer: string, account = 'a'): string =>
  `(${featuredShownTo(viewer, account)} and ${letIn(account)})`;

/**
 * The accounts that a reader finds in the profile directory: discoverable ones still in use, that other lists
 * would show too; none of a server that the reader blocks; limited accounts as in timelines.
 */
export const inDirectoryFor = (viewer: string, account = 'a'): string =>
  `(${account}.discoverable and ${account}.moved_to is null and not ${account}.suspended and ${letIn(account)}
    and ${listedFor(viewer, account)} and ${discoverableBy(viewer, account)} and not ${blocksDomain(`${viewer}::bigint`, `${account}.domain`)})`;

/**
 * The accounts suggested to a reader: others that the lists show, from no server that the reader blocks,
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
 * Whether an account exists for others: a new user only after approval (address confirmed, sign-up approved).
 * Remote accounts always do.
 */
export const letIn = (account = 'a'): string => `not exists (
    select from users usr where usr.account_id = ${account}.id and not (usr.confirmed and usr.approved) offset 0)`;
