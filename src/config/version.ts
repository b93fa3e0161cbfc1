import manifest from '../../package.json' with { type: 'json' };

/** The version of Rookery, from package.json. */
export const VERSION: string = manifest.version;

/** The version of Mastodon whose API this server offers: apps detect features by it. */
export const LIKE_MASTODON = '4.6.0';
