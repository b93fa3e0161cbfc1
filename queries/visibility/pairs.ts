/**
 * What one account has against another, as SQL conditions. `from` and `to` are expressions for account ids (a column, or
 * a parameter with its cast); null is nobody, so the condition is false.
 *
 * Each is one look into an index per row. `offset 0` keeps Postgres from turning it into a join with everything that an
 * account blocks or mutes: the plan of a prepared statement is the same for those who block nobody and those who block
 * thousands.
 */

export const blocks = (from: string, to: string): string =>
  `exists (select from blocks blk where blk.account_id = ${from} and blk.target_account_id = ${to} offset 0)`;

/** A mute that has not lapsed. */
export const mutes = (from: string, to: string): string =>
  `exists (select from mutes mut where mut.account_id = ${from} and mut.target_account_id = ${to}
     and (mut.expires_at is null or mut.expires_at > now()) offset 0)`;

/** A mute that has not lapsed and goes for notifications too. */
export const mutesNotifications = (from: string, to: string): string =>
  `exists (select from mutes mut where mut.account_id = ${from} and mut.target_account_id = ${to}
     and mut.notifications and (mut.expires_at is null or mut.expires_at > now()) offset 0)`;

/** `domain` is an expression for a domain; null is our own, which nobody can block. */
export const blocksDomain = (from: string, domain: string): string =>
  `exists (select from user_domain_blocks dom where dom.account_id = ${from} and dom.domain = ${domain} offset 0)`;
