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

/** The files that users can import; followers are not among them. */
export const IMPORT_TYPES = ['following', 'blocks', 'mutes', 'domain-blocks', 'lists', 'bookmarks'] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/**
 * Days for which an archive is kept, and between two requests for one:
 * https://docs.joinmastodon.org/user/moving/#export
 */
export const ARCHIVE_DAYS = 7;

/** Returns `archive-20261122231500-<distinction>.tar.gz`, with the time of its making. */
export const archiveName = (made: Date, distinction: string): string =>
  `archive-${made
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/\D/g, '')}-${distinction}.tar.gz`;

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
/** The limit of https://docs.joinmastodon.org/user/moving/#import */
export const MAX_IMPORT_ROWS = 20_000;

/** The columns of the files, under the names of Mastodon's importer. */
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
