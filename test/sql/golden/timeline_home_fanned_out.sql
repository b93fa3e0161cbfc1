select q.slot, inside.place, q.filters_revision, s.xmin as status_version, ss.xmin as status_stats_version, a.xmin as account_version, ac.xmin as account_stats_version,
case when a.moved_to is not null then (
  select concat(mv.xmin, ' ', mvs.xmin) from accounts mv left join account_stats mvs on mvs.account_id = mv.id
  where mv.id = a.moved_to
) end as moved_version,
   case when inside.place >= 2 then case when (true and true and exists (
  select from blocks blk where blk.account_id = q.viewer::bigint and blk.target_account_id in (a.id) offset 0)) then 'blocked_account' when (true and exists (
  select from user_domain_blocks dom
  where dom.account_id = q.viewer::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[a.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[a.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0)) then 'blocked_domain'
  when (true and exists (
  select from mutes mut where mut.account_id = q.viewer::bigint and mut.target_account_id in (a.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) then 'muted_account' end end as unwanted,
   s.id,
coalesce(i.favourite_id, i.favourite_request_id) is not null or null as favourited,
coalesce(i.reblog_id, i.reblog_request_id) is not null or null as reblogged,
i.bookmark_id is not null or null as bookmarked,
q.mutes_threads and exists (select from thread_mutes tm
  where tm.account_id = q.viewer and tm.conversation_id = s.conversation_id offset 0) or null as muted,
s.account_id = q.viewer and exists (select from status_pins pin where pin.status_id = s.id offset 0) or null as pinned,
s.quote_policy = 'followers' and exists (select from follows qf
  where qf.account_id = q.viewer and qf.target_account_id = s.account_id offset 0) or null as follows_author,
case when s.poll_id is not null then (
select row_to_json(of_status)::text from (
  select p.public_id::text as poll_id, p.id::text as poll_round, p.account_id::text as poll_account_id, p.options as poll_options, p.emojis as poll_emojis,
p.multiple as poll_multiple, p.hide_totals as poll_hide_totals, p.expires_at as poll_expires_at,
(p.closed or p.expires_at <= now()) as poll_expired, p.voters_count as poll_voters_count,
(select json_object_agg(t.choice, t.votes)::text from poll_tallies t where t.poll_id = p.id) as poll_tallies,
pv.choices as poll_own_votes from polls p
  left join poll_votes pv on pv.poll_id = p.id and pv.account_id = q.viewer where p.id = s.poll_id
) of_status) end as poll
 from (select ((reader.n - 1) * 40 + page.place - 1)::int as slot, reader.id as viewer,
     reader.filters_revision, reader.mutes_threads, page.*
   from (
     select asked.id, asked.n, asked.before, asked.page_size, greatest(asked.after, r.complete_after) as after, r.*
     from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::int[]))
       with ordinality as asked (id, before, after, page_size, n)
     cross join lateral (
       select r.complete_after, exists (select from blocks where account_id = asked.id order by target_account_id offset 0) as blocks_anybody, exists (select from blocks where target_account_id = asked.id order by account_id offset 0) as blocked_by_anybody, exists (select from mutes where account_id = asked.id order by target_account_id offset 0) as mutes_anybody, exists (select from user_domain_blocks where account_id = asked.id order by domain offset 0) as blocks_domains, exists (select from thread_mutes where account_id = asked.id order by conversation_id offset 0) as mutes_threads, exists (select from lists where account_id = asked.id and exclusive offset 0) as has_exclusive_lists, exists (select from tag_follows where account_id = asked.id order by tag offset 0) as follows_tags,
         (select fr.revision from filter_revisions fr where fr.account_id = asked.id) as filters_revision
       from home_readers r where r.account_id = asked.id and r.active_on > (now() at time zone 'UTC')::date - 30 offset 0
     ) r
   ) reader
   cross join lateral (
     select * from (
     select found.*, row_number() over (order by found.s_id desc) as place, bool_or(found.may_repeat) over () as repeats from (
     select s.id as s_id, s.xmin as s_xmin, s.account_id as s_account_id, s.deleted as s_deleted, s.visibility as s_visibility, s.conversation_id as s_conversation_id, s.quote_policy as s_quote_policy, s.poll_id as s_poll_id, a.id as a_id, a.xmin as a_xmin, a.suspended as a_suspended, a.domain as a_domain, a.moved_to as a_moved_to, s.reblog_of_id, s.quote_id, (s.reblog_of_id is not null
and (o.account_id = reader.id or exists (select from home_follows g where g.account_id = reader.id and g.target_account_id = o.account_id offset 0)
  or exists (
    select from (
      select i.account_id from interactions i where i.status_id = s.reblog_of_id and i.reblog_id < s.id
      order by i.reblog_id desc limit 200
    ) older where older.account_id = reader.id or exists (select from home_follows g where g.account_id = reader.id and g.target_account_id = older.account_id offset 0))
  or exists (select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = reader.id
    where t.status_id = o.id))
and (select u.aggregate_reblogs from users u where u.account_id = reader.id)) as may_repeat
     from (
       select status_id from (
(select e.status_id from home_entries e
 where e.account_id = reader.id and e.status_id < reader.before and e.status_id > reader.after
 order by e.status_id desc limit 5 * reader.page_size)
union all
select p.status_id
from (
  select a.account_id from home_authors a
  where a.wide_id is not null and a.wide_id > reader.after
    and exists (select from home_follows g where g.account_id = reader.id and g.target_account_id = a.account_id offset 0)
) a
cross join lateral (
  select p.status_id from home_posts p
  where p.account_id = a.account_id and p.wide and p.status_id < reader.before and p.status_id > reader.after
  order by p.status_id desc limit 5 * reader.page_size
) p
union all
select t.status_id from tag_follows tf
cross join lateral (
  select t.status_id from status_tags t
  where t.tag = tf.tag and t.status_id < reader.before and t.status_id > reader.after
  order by t.status_id desc limit 5 * reader.page_size
) t
where tf.account_id = reader.id) source group by status_id order by status_id desc limit 5 * reader.page_size
     ) c
     join statuses s on s.id = c.status_id join accounts a on a.id = s.account_id
left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
     where ((not s.deleted and (
  not a.suspended and not (true and reader.blocked_by_anybody and exists (
  select from blocks blk where blk.account_id = a.id and blk.target_account_id in (reader.id::bigint) offset 0)) and (
    s.visibility in ('public', 'unlisted')
    or s.account_id = reader.id::bigint
    or (s.visibility = 'private' and exists (
          select from follows fol where fol.account_id = reader.id::bigint and fol.target_account_id = s.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = s.id and men.account_id = reader.id::bigint offset 0)
  )
)) and (s.reblog_of_id is null or (not o.deleted and (
  not oa.suspended and not (true and reader.blocked_by_anybody and exists (
  select from blocks blk where blk.account_id = oa.id and blk.target_account_id in (reader.id::bigint) offset 0)) and (
    o.visibility in ('public', 'unlisted')
    or o.account_id = reader.id::bigint
    or (o.visibility = 'private' and exists (
          select from follows fol where fol.account_id = reader.id::bigint and fol.target_account_id = o.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = o.id and men.account_id = reader.id::bigint offset 0)
  )
))) and (not (reader.blocks_anybody and true and exists (
  select from blocks blk where blk.account_id = reader.id::bigint and blk.target_account_id in (a.id, oa.id) offset 0)) and not (reader.mutes_anybody and exists (
  select from mutes mut where mut.account_id = reader.id::bigint and mut.target_account_id in (a.id, oa.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not (reader.blocks_domains and exists (
  select from user_domain_blocks dom
  where dom.account_id = reader.id::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[a.domain, oa.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[a.domain, oa.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))) and (s.account_id = reader.id or (
   not ((reader.blocks_anybody or reader.mutes_anybody) and exists (
  select from status_mentions men where men.status_id in (s.id, o.id)
    and ((reader.blocks_anybody and true and exists (
  select from blocks blk where blk.account_id = reader.id::bigint and blk.target_account_id in (men.account_id) offset 0)) or (reader.mutes_anybody and exists (
  select from mutes mut where mut.account_id = reader.id::bigint and mut.target_account_id in (men.account_id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0))) offset 0)) and not (reader.has_exclusive_lists and exists (
  select from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id join lists l on l.id = m.list_id
  where m.owner_id = reader.id and m.account_id = s.account_id and l.exclusive))
   and ((((s.in_reply_to_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id in (s.account_id, reader.id) or exists (select from home_follows g where g.account_id = reader.id and g.target_account_id = s.in_reply_to_account_id offset 0))
and exists (
  select from home_follows f where f.account_id = reader.id and f.target_account_id = s.account_id
    and (s.reblog_of_id is null or f.reblogs)
    and (coalesce(cardinality(f.languages), 0) = 0 or coalesce(o.language, s.language) is null
      or coalesce(o.language, s.language) = any(f.languages)))) or (reader.follows_tags and s.visibility = 'public' and exists (
  select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = reader.id where t.status_id = s.id)))))) is true
     order by c.status_id desc limit reader.page_size
     ) found) numbered where not repeats
   ) page) as q
 cross join lateral (
   select 0 as place, q.s_id, q.s_xmin, q.s_account_id, q.s_deleted, q.s_visibility, q.s_conversation_id, q.s_quote_policy, q.s_poll_id, q.a_id, q.a_xmin, q.a_suspended, q.a_domain, q.a_moved_to
   union all
   select part.place, s.id as s_id, s.xmin as s_xmin, s.account_id as s_account_id, s.deleted as s_deleted, s.visibility as s_visibility, s.conversation_id as s_conversation_id, s.quote_policy as s_quote_policy, s.poll_id as s_poll_id, a.id as a_id, a.xmin as a_xmin, a.suspended as a_suspended, a.domain as a_domain, a.moved_to as a_moved_to
   from (
     select 1, q.reblog_of_id
     union all select 2, q.quote_id
     union all select 3, (select quoted.quote_id from statuses quoted where quoted.id = q.quote_id)
   ) as part (place, id)
   join statuses s on s.id = part.id join accounts a on a.id = s.account_id
   where q.reblog_of_id is not null or q.quote_id is not null
 ) as inside
 cross join lateral (select inside.s_id as id, inside.s_xmin as xmin, inside.s_account_id as account_id, inside.s_deleted as deleted, inside.s_visibility as visibility, inside.s_conversation_id as conversation_id, inside.s_quote_policy as quote_policy, inside.s_poll_id as poll_id) s
 cross join lateral (select inside.a_id as id, inside.a_xmin as xmin, inside.a_suspended as suspended, inside.a_domain as domain, inside.a_moved_to as moved_to) a
 left join account_stats ac on ac.account_id = a.id
left join status_stats ss on ss.status_id = s.id
left join interactions i on i.account_id = q.viewer and i.status_id = s.id
 where (inside.place < 2) or (not s.deleted and (
  not a.suspended and not (true and true and exists (
  select from blocks blk where blk.account_id = a.id and blk.target_account_id in (q.viewer::bigint) offset 0)) and (
    s.visibility in ('public', 'unlisted')
    or s.account_id = q.viewer::bigint
    or (s.visibility = 'private' and exists (
          select from follows fol where fol.account_id = q.viewer::bigint and fol.target_account_id = s.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = s.id and men.account_id = q.viewer::bigint offset 0)
  )
))
