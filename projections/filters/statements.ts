import { statement } from '#kernel/read.ts';

export const INSERT = statement(
  'filters_insert',
  `insert into filters (id, account_id, title, context, filter_action, expires_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
);
export const UPDATE = statement(
  'filters_update',
  `update filters f set
     title = coalesce(n.title, f.title),
     context = coalesce(n.context, f.context),
     filter_action = coalesce(n.filter_action, f.filter_action),
     expires_at = case when n.sets_expiry then n.expires_at else f.expires_at end
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::timestamptz[])
     as n (id, title, context, filter_action, sets_expiry, expires_at)
   where f.id = n.id`,
);
export const DELETE = statement('filters_delete', 'delete from filters where id = any($1::bigint[])');
export const PUT_KEYWORDS = statement(
  'filter_keywords_put',
  `insert into filter_keywords as k (id, filter_id, account_id, keyword, whole_word)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bool[])
   on conflict (id) do update set keyword = excluded.keyword, whole_word = excluded.whole_word`,
);
export const DELETE_KEYWORDS = statement(
  'filter_keywords_delete',
  'delete from filter_keywords where id = any($1::bigint[])',
);
export const DELETE_KEYWORDS_OF = statement(
  'filter_keywords_delete_of',
  'delete from filter_keywords where filter_id = any($1::bigint[])',
);
export const INSERT_STATUSES = statement(
  'filter_statuses_insert',
  `insert into filter_statuses (id, filter_id, account_id, status_id)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])`,
);
export const DELETE_STATUSES = statement(
  'filter_statuses_delete',
  'delete from filter_statuses where id = any($1::bigint[])',
);
export const DELETE_STATUSES_OF = statement(
  'filter_statuses_delete_of',
  'delete from filter_statuses where filter_id = any($1::bigint[])',
);
/** The highest position wins, so the order of events of several filters does not matter. */
export const TOUCH = statement(
  'filter_revisions_touch',
  `insert into filter_revisions as r (account_id, revision)
   select account_id, max(revision) from unnest($1::bigint[], $2::bigint[]) as n (account_id, revision)
   group by account_id
   on conflict (account_id) do update set revision = greatest(r.revision, excluded.revision)`,
);
/** Removes the filters of erased users with their contents. */
export const ERASE = statement(
  'filters_erase',
  `with gone as (delete from filters where account_id = any($1::bigint[]) returning id),
     keywords as (delete from filter_keywords k using gone where k.filter_id = gone.id)
   delete from filter_statuses s using gone where s.filter_id = gone.id`,
);
