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
 from (select (asked.n - 1)::int as slot, asked.viewer, asked.touched, fr.revision as filters_revision,
     true as mutes_threads, s.id as s_id, s.xmin as s_xmin, s.account_id as s_account_id, s.deleted as s_deleted, s.visibility as s_visibility, s.conversation_id as s_conversation_id, s.quote_policy as s_quote_policy, s.poll_id as s_poll_id, a.id as a_id, a.xmin as a_xmin, a.suspended as a_suspended, a.domain as a_domain, a.moved_to as a_moved_to, s.reblog_of_id, s.quote_id
   from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bool[]))
     with ordinality as asked (id, viewer, touched, n)
   join statuses s on s.id = asked.id join accounts a on a.id = s.account_id
   left join filter_revisions fr on fr.account_id = asked.viewer) as q
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
 where (q.touched and inside.place = 0 and not s.deleted) or (not s.deleted and (
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
