with recursive waiting (host) as (
  (select d.host from durable.federation_deliveries d where d.host > $2 order by d.host limit 1)
  union all
  select (select d.host from durable.federation_deliveries d where d.host > w.host order by d.host limit 1)
  from waiting w where w.host is not null
), picked as (
  select d.activity_id, d.inbox
  from waiting w
  left join durable.federation_hosts h on h.host = w.host
  cross join lateral (
    select case when h.failures > 0 then 1 else 4 end as most,
      coalesce(h.failures, 0) = 0 and coalesce(h.last_ms, 0) < 1000 as good
  ) bound
  cross join lateral (
    with recursive fresh (nth, activity_id, inbox, lines) as (
      select 0, null::bigint, null::text collate "C", array[]::text[] collate "C"
      union all
      select f.nth + 1, n.activity_id, n.inbox, f.lines || n.line
      from fresh f
      cross join lateral (
        select d.activity_id, d.inbox, d.inbox || ' ' || d.subject as line
        from durable.federation_deliveries d
        where d.host = w.host and d.attempts = 0 and d.inbox || ' ' || d.subject <> all(f.lines)
          and not exists (
            select from durable.federation_deliveries t
            where t.host = w.host and t.inbox = d.inbox and t.subject = d.subject and t.attempts > 0)
        order by d.activity_id limit 1
      ) n
      where f.nth < bound.most and ($6::boolean or not bound.good)
    )
    select d.activity_id, d.inbox from durable.federation_deliveries d
    where (d.activity_id, d.inbox) in (
        (select f.activity_id, f.inbox from fresh f where f.nth > 0)
        union all
        (select t.activity_id, t.inbox from durable.federation_deliveries t
         where not $6::boolean and t.host = w.host and t.attempts > 0 and t.due_at <= $1::timestamptz
           and (t.leased_until is null or t.leased_until <= $1::timestamptz)
         order by t.due_at, t.activity_id limit bound.most))
      and d.due_at <= $1::timestamptz and (d.leased_until is null or d.leased_until <= $1::timestamptz)
    order by d.due_at, d.activity_id
    limit bound.most
    for update skip locked
  ) d
  where w.host is not null and w.host <> all($3::text[]) and (h.retry_at is null or h.retry_at <= $1::timestamptz)
    and (bound.good or not $6::boolean)
  limit $4
)
update durable.federation_deliveries d
set attempts = d.attempts + 1, leased_until = $1::timestamptz + interval '1 second' * $5::int
from picked p, durable.federation_activities a
where d.activity_id = p.activity_id and d.inbox = p.inbox and a.id = d.activity_id
returning d.activity_id, d.inbox, d.host, d.attempts, a.sender, a.actor, a.status_id, a.farewell, a.retired_key,
  a.followers_only, a.document
