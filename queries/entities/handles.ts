import { hash } from 'node:crypto';
import { INVALID_HANDLE_DOMAIN } from '#mastodon/invalid-handle.ts';

/**
 * SQL: the id of the account with a handle, by its `acctKey` and its `aliasDigest`. An account that has the
 * handle as its own precedes one that it leads to.
 */
export const idOfHandle = (key: string, digest: string): string =>
  `coalesce((select own.id from accounts own where own.acct_key = ${key}),
     (select alias.account_id from handle_aliases alias where alias.digest = ${digest}))`;

/** Returns the name of a handle, in the form of `acctKey`, in `handle_aliases`. */
export const aliasDigest = (key: string): string => hash('sha256', key);

/** SQL: the domain of the handle that others see; null for a local account. Its username is `username`. */
export const shownDomain = (account = 'a'): string =>
  `case when ${account}.invalid_handle then '${INVALID_HANDLE_DOMAIN}' else ${account}.domain end`;
