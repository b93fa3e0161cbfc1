with candidate as materialized (
      select status_id from (
  select p.status_id from (
    select a.account_id, case when a.newest_id < $2::bigint then a.newest_id else (select p.status_id from home_posts p where p.account_id = a.account_id and p.status_id < $2::bigint and p.status_id > $3::bigint
      order by p.status_id desc limit 1) end as first
    from (select m.account_id as id from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id where m.list_id = $6
union all select m.account_id from list_accounts m where m.list_id = $6 and m.account_id = m.owner_id) author join home_authors a on a.account_id = author.id
    where a.newest_id > $3::bigint and true
    order by first desc nulls last limit $5
  ) writer
  cross join lateral (
    select p.status_id from home_posts p where p.account_id = writer.account_id and p.status_id < $2::bigint and p.status_id > $3::bigint
    order by p.status_id desc limit $5
  ) p
  where writer.first is not null order by p.status_id desc limit $5) source
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
      where (s.visibility <> 'direct' and (not s.deleted and (
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
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))) and not (((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) or (select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0))) and exists (
  select from status_mentions men where men.status_id in (s.id, o.id)
    and (((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (men.account_id) offset 0)) or ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (men.account_id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0))) offset 0))
  and ((((s.in_reply_to_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id in (s.account_id, $1) or (select l.replies_policy from lists l where l.id = $6)::text = 'followed' and exists (select from home_follows g where g.account_id = $1 and g.target_account_id = s.in_reply_to_account_id offset 0)
  or (select l.replies_policy from lists l where l.id = $6) = 'list' and (exists (select from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id where m.list_id = $6 and m.account_id = s.in_reply_to_account_id)
  or exists (select from list_accounts m where m.list_id = $6 and m.account_id = s.in_reply_to_account_id
    and m.owner_id = m.account_id)))
and exists (
  select from home_follows f where f.account_id = $1 and f.target_account_id = s.account_id
    and (s.reblog_of_id is null or f.reblogs)
    and (coalesce(cardinality(f.languages), 0) = 0 or coalesce(o.language, s.language) is null
      or coalesce(o.language, s.language) = any(f.languages)))) or (s.account_id = $1 and ((s.in_reply_to_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id in (s.account_id, $1) or (select l.replies_policy from lists l where l.id = $6)::text = 'followed' and exists (select from home_follows g where g.account_id = $1 and g.target_account_id = s.in_reply_to_account_id offset 0)
  or (select l.replies_policy from lists l where l.id = $6) = 'list' and (exists (select from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id where m.list_id = $6 and m.account_id = s.in_reply_to_account_id)
  or exists (select from list_accounts m where m.list_id = $6 and m.account_id = s.in_reply_to_account_id
    and m.owner_id = m.account_id)))))) is true
      order by c.status_id desc limit $4
    ) page on true
    order by page.id desc
