/**
 * Whom a reader finds in lists of accounts, as a condition on `accounts a`. `viewer` is the SQL parameter that holds the
 * reader's account id, or null for a reader without a token. What one account hides from another (blocks, mutes) belongs
 * here.
 */
export const listedFor = (viewer: string): string => `(a.id = ${viewer}::bigint or not a.suspended)`;

/**
 * Whether a reader may see who follows account `a` and whom it follows, as a condition on `accounts a`. A block of the
 * reader belongs here.
 */
export const collectionsShownTo = (viewer: string): string =>
  `(not a.suspended and (a.hide_collections is not true or a.id is not distinct from ${viewer}::bigint))`;
