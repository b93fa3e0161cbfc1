import { blocks, blocksDomain, blocksOrMutesAnyone, mutes } from './pairs.ts';

/** The aliases under which a statement has a status and its author; several, where it has several statuses. */
export interface StatusAliases {
  /** Of `statuses`. */
  status: string;
  /** The alias of `accounts`, joined by the status's `account_id`. */
  author: string;
}
export const USUAL: StatusAliases = { status: 's', author: 'a' };
type Author = Pick<StatusAliases, 'author'>;
type Status = Pick<StatusAliases, 'status'>;

/**
 * SQL: true if a viewer may see a status. A viewer whom the author blocks may not; the viewer's own blocks
 * and mutes (`notMutedBy`) do not hide a status that they open directly. `viewer` is an expression for the
 * viewer's account id, null without a token. `pairs.ts` explains `offset 0`.
 */
export const visibleTo = (viewer: string, aliases: StatusAliases = USUAL): string =>
  `(not ${aliases.status}.deleted and ${meantToBeSeenBy(viewer, aliases)})`;

/** The statuses that a viewer may report: visible ones, and deleted ones that were visible. */
export const reportableBy = (viewer: string, aliases: StatusAliases = USUAL): string =>
  meantToBeSeenBy(viewer, aliases);

/** SQL: true if a viewer may see a status while it exists. */
const meantToBeSeenBy = (viewer: string, { status: s, author: a }: StatusAliases): string => {
  const me = `${viewer}::bigint`;
  return `(
    not ${a}.suspended and not ${blocks(`${a}.id`, me)} and (
      ${s}.visibility in ('public', 'unlisted')
      or ${s}.account_id = ${me}
      or (${s}.visibility = 'private' and exists (
            select from follows fol where fol.account_id = ${me} and fol.target_account_id = ${s}.account_id offset 0))
      or exists (
            select from status_mentions men where men.status_id = ${s}.id and men.account_id = ${me} offset 0)
    )
  )`;
};

/**
 * SQL: true if the viewer wants an author in timelines and lists: no blocked or muted accounts, and none of
 * blocked domains. Applies in addition to `visibleTo` (which excludes authors who block the viewer), and to a
 * reblogged or quoted status too. All of several authors must pass.
 */
export const notMutedBy = (viewer: string, first: Author = USUAL, ...others: Author[]): string => {
  const me = `${viewer}::bigint`;
  const each = (column: string): string =>
    [first, ...others].map(({ author }) => `${author}.${column}`).join(', ');
  return `(not ${blocks(me, each('id'))} and not ${mutes(me, each('id'))} and not ${blocksDomain(me, each('domain'))})`;
};

/**
 * SQL: true if an account of any server may quote a status that it may see, by the policy of its author, who
 * always may.
 */
export const quotableBy = (viewer: string, { status: s }: Status = USUAL): string =>
  `(${s}.visibility <> 'direct' and (${s}.account_id = ${viewer} or ${s}.visibility in ('public', 'unlisted') and (
    ${s}.quote_policy = 'public' or ${s}.quote_policy = 'followers' and exists (
      select from follows quf where quf.account_id = ${viewer} and quf.target_account_id = ${s}.account_id offset 0))))`;

/**
 * SQL: true if statuses mention no account that the viewer blocks or mutes: for the home timeline and lists,
 * as in Mastodon.
 */
export const mentionsNotMutedBy = (viewer: string, first: Status = USUAL, ...others: Status[]): string => {
  const me = `${viewer}::bigint`;
  const ids = [first, ...others].map(({ status }) => `${status}.id`).join(', ');
  return `not (${blocksOrMutesAnyone(me)} and exists (
    select from status_mentions men where men.status_id in (${ids})
      and (${blocks(me, 'men.account_id')} or ${mutes(me, 'men.account_id')}) offset 0))`;
};
