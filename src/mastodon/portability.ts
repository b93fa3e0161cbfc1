/**
 * The CSV files that users can export, each in the form that Mastodon writes and reads:
 * docs.joinmastodon.org/user/moving
 */
export const EXPORTS = {
  following: 'following_accounts.csv',
  followers: 'followers.csv',
  blocks: 'blocked_accounts.csv',
  mutes: 'muted_accounts.csv',
  'domain-blocks': 'blocked_domains.csv',
  lists: 'lists.csv',
  bookmarks: 'bookmarks.csv',
} as const;
export type ExportType = keyof typeof EXPORTS;
export const EXPORT_TYPES = Object.keys(EXPORTS) as readonly ExportType[];

/** The files that can be imported; followers cannot be. */
export const IMPORT_TYPES = ['following', 'blocks', 'mutes', 'domain-blocks', 'lists', 'bookmarks'] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/** Days for which an archive is kept, and in which one may be asked for: https://docs.joinmastodon.org/user/moving/#export */
export const ARCHIVE_DAYS = 7;

/** `archive-20261122231500-<distinction>.tar.gz`, of the moment when it was made. */
export const archiveName = (made: Date, distinction: string): string =>
  `archive-${made
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/\D/g, '')}-${distinction}.tar.gz`;

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
/** https://docs.joinmastodon.org/user/moving/#import; as many as there. */
export const MAX_IMPORT_ROWS = 20_000;

/** The columns of the files, by what Mastodon's importer calls them. */
export const COLUMNS = {
  account: 'Account address',
  reblogs: 'Show boosts',
  notify: 'Notify on new posts',
  languages: 'Languages',
  notifications: 'Hide notifications',
  domain: '#domain',
  uri: '#uri',
  list: 'List name',
} as const;
