with recursive waiting (host) as (
  (select i.host from durable.inbox_activities i where i.host > $2 order by i.host limit 1)
  union all
  select (select i.host from durable.inbox_activities i where i.host > w.host order by i.host limit 1)
  from waiting w where w.host is not null
), busy (actors) as materialized (
  select $4::text[] || array(
    select i.actor from durable.inbox_activities i
    where i.leased_until is not null and i.leased_until > $1::timestamptz)
), picked as (
  select i.id
  from waiting w
  cross join busy b
  cross join lateral (
    select least(
      (select i.id from durable.inbox_activities i
       where i.host = w.host and i.attempts = 0 and i.actor <> all(b.actors) order by i.id limit 1),
      (select i.id from durable.inbox_activities i
       where i.host = w.host and i.attempts > 0 and i.due_at <= $1::timestamptz and i.actor <> all(b.actors)
       order by i.id limit 1)) as id
  ) first
  cross join lateral (
    select i.id from durable.inbox_activities i
    where i.id = first.id and i.due_at <= $1::timestamptz
    for update skip locked
  ) i
  where w.host is not null and w.host <> all($3::text[])
  limit $5
)
update durable.inbox_activities i
set attempts = i.attempts + 1, leased_until = $1::timestamptz + interval '1 second' * $6::int
from picked p where i.id = p.id
returning i.id, i.host, i.attempts, i.kind, i.body as text, i.actor, i.command, i.followers, i.featured,
  i.username
