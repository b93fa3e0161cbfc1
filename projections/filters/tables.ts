import { statement } from '#kernel/read.ts';
import { batch, bigint, boolean, jsonText, table, text, timestamptz } from '#kernel/table/index.ts';

export const FILTERS = table(
  'filters',
  {
    id: bigint,
    account_id: bigint,
    title: text,
    context: jsonText<readonly string[]>(),
    filter_action: text,
    expires_at: timestamptz.orNull,
  },
  ['id'],
);
export const KEYWORDS = table(
  'filter_keywords',
  { id: bigint, filter_id: bigint, account_id: bigint, keyword: text, whole_word: boolean },
  ['id'],
);
export const STATUSES = table(
  'filter_statuses',
  { id: bigint, filter_id: bigint, account_id: bigint, status_id: bigint },
  ['id'],
);
export const REVISIONS = table('filter_revisions', { account_id: bigint, revision: bigint }, ['account_id']);

/** The highest position wins, so the order of events of several filters does not matter. */
export const TOUCH = batch(
  'filter_revisions_touch',
  REVISIONS.columns,
  (rows) => `insert into filter_revisions as r (account_id, revision)
   select account_id, max(revision) from ${rows} group by account_id
   on conflict (account_id) do update set revision = greatest(r.revision, excluded.revision)`,
);
/** Removes the filters of erased users with their contents. */
export const ERASE = statement(
  'filters_erase',
  `with gone as (delete from filters where account_id = any($1::bigint[]) returning id),
     keywords as (delete from filter_keywords k using gone where k.filter_id = gone.id)
   delete from filter_statuses s using gone where s.filter_id = gone.id`,
);
