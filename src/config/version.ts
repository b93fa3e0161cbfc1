import manifest from '../../package.json' with { type: 'json' };

/** The version of Rookery, as package.json has it. */
export const VERSION: string = manifest.version;

/** The version of Mastodon whose API this is: apps look for features by it. */
export const LIKE_MASTODON = '4.6.0';
