import { bigint, boolean, date, table, texts } from '#kernel/table/index.ts';

export const FOLLOWS = table(
  'home_follows',
  { account_id: bigint, target_account_id: bigint, reblogs: boolean, languages: texts.orNull },
  ['account_id', 'target_account_id'],
);
export const POSTS = table(
  'home_posts',
  { account_id: bigint, status_id: bigint, wide: boolean, direct: boolean },
  ['account_id', 'status_id'],
);
export const AUTHORS = table(
  'home_authors',
  { account_id: bigint, newest_id: bigint.orNull, wide_id: bigint.orNull },
  ['account_id'],
);
export const READERS = table(
  'home_readers',
  { account_id: bigint, active_on: date, complete_after: bigint },
  ['account_id'],
);
export const ENTRIES = table('home_entries', { account_id: bigint, status_id: bigint }, [
  'account_id',
  'status_id',
]);
