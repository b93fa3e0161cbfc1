import { reversedHost } from '#mastodon/host-name.ts';

/*
 * Parts of the statements that count.
 */

/** SQL: the day (UTC) on which an id was drawn. */
export const dayOfId = (id: string): string =>
  `(to_timestamp((${id} >> 16) / 1000.0) at time zone 'UTC')::date`;
/** SQL: the day (UTC) of a time. */
export const dayOf = (moment: string): string => `(${moment} at time zone 'UTC')::date`;
/** SQL: selects the accounts of a server at any port, by index. */
export const ofDomain = (account: string, domain: string): string =>
  `${account}.domain is not null and ${reversedHost(`${account}.domain`)} = reverse(${domain})`;
