import { blocks, blocksDomain, mutes } from './pairs.ts';

/**
 * Whom a reader finds in lists of accounts: nobody who is suspended, whom the reader blocks or mutes, or who blocks the
 * reader. `viewer` is an SQL expression for the reader's account id, null for a reader without a token; `account` is the
 * alias of `accounts`. The reader is always found.
 */
export const listedFor = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.id = ${me} or (not ${account}.suspended
    and not ${blocks(me, `${account}.id`)} and not ${blocks(`${account}.id`, me)} and not ${mutes(me, `${account}.id`)}))`;
};

/**
 * Whether a reader meets an account, and what it posts, where he did not ask for it (timelines of everybody's posts, threads,
 * trends, suggestions, the directory): a limited one is met by its followers alone. To be asked besides the other rules.
 */
export const discoverableBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(not ${account}.silenced or ${account}.id is not distinct from ${me} or exists (
    select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${account}.id offset 0))`;
};

/** Whom a reader finds in lists of his own making, such as those of his blocks: everybody but suspended accounts. */
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

/** Whether a reader finds an account in collections: nobody whom the reader blocks, or who blocks the reader. */
export const featuredShownTo = (viewer: string, account = 'a'): string =>
  `(${profileShownTo(viewer, account)} and not ${blocks(`${viewer}::bigint`, `${account}.id`)})`;

/**
 * Whether a reader sees an item `item` of a collection `c`: an account that has yet to agree is seen by the owner of the collection
 * alone.
 */
export const itemShownTo = (viewer: string, item: string): string =>
  `(${item}.accepted or c.account_id is not distinct from ${viewer}::bigint)`;

/** Whether an account is found by its exact handle or address: across blocks too, or nobody could find whom to unblock. */
export const foundByHandle = (account = 'a'): string => `(not ${account}.suspended and ${letIn(account)})`;

/**
 * Whom a reader finds by searching: whom he mutes too, since he asks for them; nobody who has not been let in yet (address
 * confirmed, sign-up approved), who is suspended, whom the reader blocks, or who blocks the reader.
 */
export const searchableFor = (viewer: string, account = 'a'): string =>
  `(${featuredShownTo(viewer, account)} and ${letIn(account)})`;

/**
 * Whom a reader meets in the profile directory: those who want to be discovered, still use the account, and would be in other
 * lists of accounts for him; nobody of a server that he blocks; limited accounts as in timelines.
 */
export const inDirectoryFor = (viewer: string, account = 'a'): string =>
  `(${account}.discoverable and ${account}.moved_to is null and not ${account}.suspended and ${letIn(account)}
    and ${listedFor(viewer, account)} and ${discoverableBy(viewer, account)} and not ${blocksDomain(`${viewer}::bigint`, `${account}.domain`)})`;

/**
 * Whom a reader is recommended to follow: somebody else whom he finds in lists, from no server that he blocks, who does not ask
 * about each follower, has not moved away, and whom he neither follows nor asked to.
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
 * Whether an account is there for others: who signed up is not until let in (address confirmed, sign-up approved). Of other servers,
 * everybody is.
 */
export const letIn = (account = 'a'): string => `not exists (
    select from users usr where usr.account_id = ${account}.id and not (usr.confirmed and usr.approved) offset 0)`;
