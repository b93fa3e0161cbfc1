with candidate as materialized (
      select status_id from (
with place as materialized (
select greatest($3::bigint, complete_after) as fanned_out_after, least($2::bigint - 1, complete_after) + 1 as others_before
from (
  select coalesce((select r.complete_after from home_readers r where r.account_id = $1 and r.active_on > (now() at time zone 'UTC')::date - 30), 9223372036854775807) as complete_after
) reader),
fanned_out as materialized (
  select e.status_id from home_entries e
  where e.account_id = $1 and e.status_id < $2 and e.status_id > (select fanned_out_after from place)
  order by e.status_id desc limit $5
)
select status_id from fanned_out
union all (
  select p.status_id from (
    select a.account_id, case when a.newest_id < (select others_before from place) then a.newest_id else (select p.status_id from home_posts p where p.account_id = a.account_id and p.status_id < (select others_before from place) and p.status_id > $3::bigint
      order by p.status_id desc limit 1) end as first
    from (select target_account_id as id from home_follows where account_id = $1 union all select $1::bigint) author join home_authors a on a.account_id = author.id
    where a.newest_id > $3::bigint and (select others_before from place) > $3 + 1 and (select count(*) from fanned_out) < $5
    order by first desc nulls last limit $5
  ) writer
  cross join lateral (
    select p.status_id from home_posts p where p.account_id = writer.account_id and p.status_id < (select others_before from place) and p.status_id > $3::bigint
    order by p.status_id desc limit $5
  ) p
  where writer.first is not null order by p.status_id desc limit $5)
union all
select p.status_id
from (
  select a.account_id from home_authors a
  where a.wide_id is not null and a.wide_id > (select fanned_out_after from place)
    and exists (select from home_follows g where g.account_id = $1 and g.target_account_id = a.account_id offset 0)
) a
cross join lateral (
  select p.status_id from home_posts p
  where p.account_id = a.account_id and p.wide and p.status_id < $2 and p.status_id > (select fanned_out_after from place)
  order by p.status_id desc limit $5
) p
union all
select t.status_id from tag_follows tf
cross join lateral (
  select t.status_id from status_tags t
  where t.tag = tf.tag and t.status_id < $2 and t.status_id > $3
  order by t.status_id desc limit $5
) t
where tf.account_id = $1) source
      group by status_id order by status_id desc limit $5
    )
    select page.*, edge.id as edge
    from (
      select case when count(*) = $5 then min(status_id) end as id from candidate
    ) edge
    left join lateral (
      select s.id, s.reblog_of_id, (s.reblog_of_id is not null
and (o.account_id = $1 or exists (select from home_follows g where g.account_id = $1 and g.target_account_id = o.account_id offset 0)
  or exists (
    select from (
      select i.account_id from interactions i where i.status_id = s.reblog_of_id and i.reblog_id < s.id
      order by i.reblog_id desc limit 200
    ) older where older.account_id = $1 or exists (select from home_follows g where g.account_id = $1 and g.target_account_id = older.account_id offset 0))
  or exists (select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = $1
    where t.status_id = o.id))
and (select u.aggregate_reblogs from users u where u.account_id = $1)) as may_repeat from (select status_id from candidate order by status_id desc limit $5) c
      join statuses s on s.id = c.status_id join accounts a on a.id = s.account_id
left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
      where ((not s.deleted and (
  not a.suspended and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = a.id and blk.target_account_id in ($1::bigint) offset 0)) and (
    s.visibility in ('public', 'unlisted')
    or s.account_id = $1::bigint
    or (s.visibility = 'private' and exists (
          select from follows fol where fol.account_id = $1::bigint and fol.target_account_id = s.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = s.id and men.account_id = $1::bigint offset 0)
  )
)) and (s.reblog_of_id is null or (not o.deleted and (
  not oa.suspended and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = oa.id and blk.target_account_id in ($1::bigint) offset 0)) and (
    o.visibility in ('public', 'unlisted')
    or o.account_id = $1::bigint
    or (o.visibility = 'private' and exists (
          select from follows fol where fol.account_id = $1::bigint and fol.target_account_id = o.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = o.id and men.account_id = $1::bigint offset 0)
  )
))) and (not ((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (a.id, oa.id) offset 0)) and not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (a.id, oa.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
  select from user_domain_blocks dom
  where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[a.domain, oa.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[a.domain, oa.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))) and (s.account_id = $1 or (
   not (((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) or (select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0))) and exists (
  select from status_mentions men where men.status_id in (s.id, o.id)
    and (((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (men.account_id) offset 0)) or ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (men.account_id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0))) offset 0)) and not ((select exists (select from lists where account_id = $1 and exclusive offset 0)) and exists (
  select from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id join lists l on l.id = m.list_id
  where m.owner_id = $1 and m.account_id = s.account_id and l.exclusive))
   and ((((s.in_reply_to_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id in (s.account_id, $1) or exists (select from home_follows g where g.account_id = $1 and g.target_account_id = s.in_reply_to_account_id offset 0))
and exists (
  select from home_follows f where f.account_id = $1 and f.target_account_id = s.account_id
    and (s.reblog_of_id is null or f.reblogs)
    and (coalesce(cardinality(f.languages), 0) = 0 or coalesce(o.language, s.language) is null
      or coalesce(o.language, s.language) = any(f.languages)))) or ((select exists (select from tag_follows where account_id = $1 order by tag offset 0)) and s.visibility = 'public' and exists (
  select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = $1 where t.status_id = s.id)))))) is true
      order by c.status_id desc limit $4
    ) page on true
    order by page.id desc
