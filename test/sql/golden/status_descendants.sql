with recursive thread (id, depth, path) as (
   select s.id, 0, array[s.id] from statuses s where s.id = $1
   union all
   select s.id, t.depth + 1, t.path || s.id from thread t join statuses s on s.in_reply_to_id = t.id
   where t.depth < $4
 ), nearest as (select * from thread where depth > 0 limit $3)
 select s.id from nearest t join statuses s on s.id = t.id join accounts a on a.id = s.account_id
 where (not a.silenced or a.id is not distinct from $2::bigint or exists (
  select from follows fol where fol.account_id = $2::bigint and fol.target_account_id = a.id offset 0)) and (not s.deleted and (
  not a.suspended and not (true and (select exists (select from blocks where target_account_id = $2::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = a.id and blk.target_account_id in ($2::bigint) offset 0)) and (
    s.visibility in ('public', 'unlisted')
    or s.account_id = $2::bigint
    or (s.visibility = 'private' and exists (
          select from follows fol where fol.account_id = $2::bigint and fol.target_account_id = s.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = s.id and men.account_id = $2::bigint offset 0)
  )
)) and (not ((select exists (select from blocks where account_id = $2::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $2::bigint and blk.target_account_id in (a.id) offset 0)) and not ((select exists (select from mutes where account_id = $2::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $2::bigint and mut.target_account_id in (a.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not ((select exists (select from user_domain_blocks where account_id = $2::bigint order by domain offset 0)) and exists (
  select from user_domain_blocks dom
  where dom.account_id = $2::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[a.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[a.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0)))
 order by s.in_reply_to_account_id is distinct from s.account_id, t.path
