import { reversedHost } from '../../../src/mastodon/host-name.ts';

/*
 * Parts of the statements that count.
 */

/** The day (UTC) at which an id was made. */
export const dayOfId = (id: string): string =>
  `(to_timestamp((${id} >> 16) / 1000.0) at time zone 'UTC')::date`;
/** The day (UTC) of a moment. */
export const dayOf = (moment: string): string => `(${moment} at time zone 'UTC')::date`;
/** The accounts of a server at any port, by the index that finds them. */
export const ofDomain = (account: string, domain: string): string =>
  `${account}.domain is not null and ${reversedHost(`${account}.domain`)} = reverse(${domain})`;
