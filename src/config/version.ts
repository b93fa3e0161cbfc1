import manifest from '../../package.json' with { type: 'json' };

/** The version of Rookery, from package.json. */
export const VERSION: string = manifest.version;

/**
 * The version of Mastodon whose API this server offers: apps detect features by it.
 * `docs/decisions/0612-mastodon-4-7.md` has the changes of 4.7.
 */
export const LIKE_MASTODON = '4.7.0';
