select s.id from statuses s join accounts a on a.id = s.account_id
left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
  where s.account_id = $5 and s.id < $2 and s.id > $3 and not s.deleted and true
    and (not $6::boolean or (s.in_reply_to_id is null and s.in_reply_to_uri is null)
      or s.in_reply_to_account_id = s.account_id)
    and (not $7::boolean or s.reblog_of_id is null)
    and ((not s.deleted and (
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
))) and (s.reblog_of_id is null or s.account_id = $1
    or (not ((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (oa.id) offset 0)) and not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (oa.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
  select from user_domain_blocks dom
  where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[oa.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[oa.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))))) is true
  order by s.id desc limit $4
