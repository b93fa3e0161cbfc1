/**
 * What one account has against another, as SQL conditions. `from` and `to` are expressions for account ids (a column, or
 * a parameter with its cast); null is nobody, so the condition is false.
 *
 * Each is one look into an index per row. `offset 0` keeps Postgres from turning it into a join with everything that an
 * account blocks or mutes: the plan of a prepared statement is the same for those who block nobody and those who block
 * thousands.
 */

/** The alias that a statement for several readers has for them, where it looks up each one's page in a subquery. */
export const READER = 'reader';

/**
 * Whether there is any row with this account, asked once per reader and not per row: most people block and mute nobody. Only a
 * parameter, or a `READER` outside of the subquery, can be asked so; for other columns there is nothing to save, and the text
 * is empty.
 */
const any = (table: string, column: string, account: string): string =>
  account.startsWith('$') || account.startsWith(`${READER}.`)
    ? `(select exists (select from ${table} where ${column} = ${account})) and `
    : '';

const either = (table: string, from: string, to: string): string =>
  any(table, 'account_id', from) + any(table, 'target_account_id', to);

export const blocks = (from: string, to: string): string =>
  `(${either('blocks', from, to)}exists (
    select from blocks blk where blk.account_id = ${from} and blk.target_account_id = ${to} offset 0))`;

/** A mute that has not lapsed. */
export const mutes = (from: string, to: string): string => mutesWith(from, to, '');

/** A mute that has not lapsed and goes for notifications too. */
export const mutesNotifications = (from: string, to: string): string =>
  mutesWith(from, to, 'and mut.notifications');

/** `domain` is an expression for a domain; null is our own, which nobody can block. */
export const blocksDomain = (from: string, domain: string): string =>
  `(${any('user_domain_blocks', 'account_id', from)}exists (
    select from user_domain_blocks dom where dom.account_id = ${from} and dom.domain = ${domain} offset 0))`;

/** Whether an account blocks or mutes anybody at all. */
export const unwantsAnybody = (account: string): string =>
  `(${any('blocks', 'account_id', account)}true or ${any('mutes', 'account_id', account)}true)`;

const mutesWith = (from: string, to: string, and: string): string =>
  `(${either('mutes', from, to)}exists (
    select from mutes mut where mut.account_id = ${from} and mut.target_account_id = ${to} ${and}
      and (mut.expires_at is null or mut.expires_at > now()) offset 0))`;
