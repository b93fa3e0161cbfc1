import { LOCKS } from '../postgres/locks.ts';

/** The channel on which appends announce the position of their last event. */
export const LOG_CHANNEL = 'rookery_log';

/**
 * `append` takes a batch of appends to distinct streams. The lock is held until the commit; each statement of
 * the function sees everything that was committed before the lock was granted. The answer leaves out appends
 * whose stream is at another revision. Usually there are none, and the batch is inserted as it is: joining
 * and renumbering the rest costs a quarter more.
 */
export const EVENT_LOG_DDL = `
create schema if not exists eventlog;

create table if not exists eventlog.events (
  position bigint primary key,
  stream text collate "C" not null,
  revision integer not null,
  id uuid not null,
  type text not null,
  data text not null,
  metadata text not null,
  unique (stream, revision)
);

create or replace function eventlog.append(
  p_streams text[], p_expected integer[],
  p_append integer[], p_offset integer[], p_ids uuid[], p_types text[], p_data text[], p_metadata text[]
) returns table (stream text, revision integer, "position" bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  head bigint;
  newest bigint;
begin
  perform pg_advisory_xact_lock(${LOCKS.append});
  select coalesce(max(e.position), 0) into head from eventlog.events e;
  if not exists (
    select from unnest(p_streams, p_expected) as t (stream, expected)
    where t.expected <> coalesce(
      (select e.revision from eventlog.events e where e.stream = t.stream order by e.revision desc limit 1), -1)
  ) then
    return query
    insert into eventlog.events (position, stream, revision, id, type, data, metadata)
    select head + n.ord, p_streams[n.append], p_expected[n.append] + n.offset_in_append,
           n.id, n.type, n.data, n.metadata
    from unnest(p_append, p_offset, p_ids, p_types, p_data, p_metadata) with ordinality
         as n (append, offset_in_append, id, type, data, metadata, ord)
    returning stream, revision, position;
  else
    return query
    with target as (
      select t.stream, t.expected, t.ord
      from unnest(p_streams, p_expected) with ordinality as t (stream, expected, ord)
      where t.expected = coalesce(
        (select e.revision from eventlog.events e where e.stream = t.stream order by e.revision desc limit 1), -1)
    )
    insert into eventlog.events (position, stream, revision, id, type, data, metadata)
    select head + row_number() over (order by n.ord), target.stream, target.expected + n.offset_in_append,
           n.id, n.type, n.data, n.metadata
    from unnest(p_append, p_offset, p_ids, p_types, p_data, p_metadata) with ordinality
         as n (append, offset_in_append, id, type, data, metadata, ord)
    join target on target.ord = n.append
    order by n.ord
    returning stream, revision, position;
  end if;
  select coalesce(max(e.position), 0) into newest from eventlog.events e;
  if newest > head then perform pg_notify('${LOG_CHANNEL}', newest::text); end if;
end $$;
`;
