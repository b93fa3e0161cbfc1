with page as materialized (
      select n.id, n.type, n.status_id, n.created_at, n.span, case when not (n.type = any($8::text[]) and n.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')) then 'ungrouped-' || n.id
     else n.type || case when n.status_id = 0 then '' else '-' || n.status_id end
       || '-' || n.span end as group_key,
        (n.type = any($8::text[]) and n.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')) as grouped
      from notifications n
      where n.account_id = $1 and n.id < $2 and n.id > $3 and n.type = any($5) and ($6 or not n.filtered)
           and $7::bigint is null and (select (fro.id = $1::bigint or (not fro.suspended
    and not ((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
    select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (fro.id) offset 0)) and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
    select from blocks blk where blk.account_id = fro.id and blk.target_account_id in ($1::bigint) offset 0))
    and not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
    select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (fro.id) and mut.notifications
      and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
    select from user_domain_blocks dom
    where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[fro.domain]) as giv (domain)
    union all
    select array_to_string(lab.parts[cut.first:], '.') collate "C"
    from unnest(array[fro.domain]) as giv (domain)
    cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
    cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))))
      and (n.status_id = 0 or ((not sta.deleted and (
    not aut.suspended and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
    select from blocks blk where blk.account_id = aut.id and blk.target_account_id in ($1::bigint) offset 0)) and (
      sta.visibility in ('public', 'unlisted')
      or sta.account_id = $1::bigint
      or (sta.visibility = 'private' and exists (
            select from follows fol where fol.account_id = $1::bigint and fol.target_account_id = sta.account_id offset 0))
      or exists (
            select from status_mentions men where men.status_id = sta.id and men.account_id = $1::bigint offset 0)
    )
  )) and not exists (
        select from thread_mutes thm where thm.account_id = $1::bigint and thm.conversation_id = sta.conversation_id)))
      and (n.type <> 'status' or not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
    select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (fro.id)
      and (mut.expires_at is null or mut.expires_at > now()) offset 0)))
      and (n.type not like 'admin.%' or exists (
        select from users usr where usr.account_id = $1::bigint and usr.role is not null))
    from accounts fro left join statuses sta on sta.id = n.status_id left join accounts aut on aut.id = sta.account_id
    where fro.id = n.from_account_id) and (not (n.type = any($8::text[]) and n.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')) or not exists (
  select from notifications m
  where m.account_id = n.account_id and m.type = n.type and m.status_id = n.status_id
    and m.id > n.id and m.id < ((n.span::bigint * 3600000 + 43200000) << 16) and m.span = n.span and ($6 or not m.filtered) and $7::bigint is null and (m.from_account_id = $1::bigint or m.from_account_id not in (
      select blk.target_account_id from blocks blk where blk.account_id = $1::bigint
      union all select blk.account_id from blocks blk where blk.target_account_id = $1::bigint
      union all select mut.target_account_id from mutes mut where mut.account_id = $1::bigint and mut.notifications
        and (mut.expires_at is null or mut.expires_at > now()))
    and (select not acc.suspended and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
    select from user_domain_blocks dom
    where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[acc.domain]) as giv (domain)
    union all
    select array_to_string(lab.parts[cut.first:], '.') collate "C"
    from unnest(array[acc.domain]) as giv (domain)
    cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
    cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0)) from accounts acc where acc.id = m.from_account_id)))) order by n.id desc limit $4
    )
    select p.id, p.type, p.status_id, p.created_at, p.group_key, g.*
    from page p cross join lateral (
  select count(*)::int as notifications_count, min(m.id) filter (where m.id > $3) as page_min_id,
    (array_agg(m.from_account_id::text order by m.id desc))[1:8] as sample_account_ids
  from notifications m
  where m.account_id = $1 and m.type = p.type and m.status_id = p.status_id and m.id <= p.id
    and m.id >= case when p.grouped then ((p.span::bigint * 3600000) << 16) else p.id end and (not p.grouped or m.span = p.span) and ($6 or not m.filtered) and $7::bigint is null and (m.from_account_id = $1::bigint or m.from_account_id not in (
      select blk.target_account_id from blocks blk where blk.account_id = $1::bigint
      union all select blk.account_id from blocks blk where blk.target_account_id = $1::bigint
      union all select mut.target_account_id from mutes mut where mut.account_id = $1::bigint and mut.notifications
        and (mut.expires_at is null or mut.expires_at > now()))
    and (select not acc.suspended and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
    select from user_domain_blocks dom
    where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[acc.domain]) as giv (domain)
    union all
    select array_to_string(lab.parts[cut.first:], '.') collate "C"
    from unnest(array[acc.domain]) as giv (domain)
    cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
    cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0)) from accounts acc where acc.id = m.from_account_id))
) g order by p.id desc
