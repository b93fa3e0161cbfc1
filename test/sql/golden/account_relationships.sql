select 'following' as kind, t.target_account_id as account_id, t.reblogs as reblogs, t.notify as notify, t.languages as languages, null::timestamptz as expires_at, null::text as comment from follows t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[])
union all select 'requested' as kind, t.target_account_id as account_id, t.reblogs as reblogs, t.notify as notify, t.languages as languages, null::timestamptz as expires_at, null::text as comment from follow_requests t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[])
union all select 'muting' as kind, t.target_account_id as account_id, null::boolean as reblogs, t.notifications as notify, null::text[] as languages, t.expires_at as expires_at, null::text as comment from mutes t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[]) and (t.expires_at is null or t.expires_at > now())
union all select 'blocking' as kind, t.target_account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from blocks t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[])
union all select 'endorsed' as kind, t.target_account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from endorsements t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[])
union all select 'note' as kind, t.target_account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, t.comment as comment from account_notes t
     where t.account_id = $1 and t.target_account_id = any($2::bigint[])
union all select 'followed_by' as kind, t.account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from follows t
     where t.account_id = any($2::bigint[]) and t.target_account_id = $1
union all select 'requested_by' as kind, t.account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from follow_requests t
     where t.account_id = any($2::bigint[]) and t.target_account_id = $1
union all select 'blocked_by' as kind, t.account_id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from blocks t
     where t.account_id = any($2::bigint[]) and t.target_account_id = $1 and $4
union all select 'domain_blocking' as kind, a.id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from accounts a
    join user_domain_blocks t on t.account_id = $1 and t.domain = any(array(select giv.domain collate "C" from unnest(array[a.domain]) as giv (domain)
   union all
   select array_to_string(lab.parts[cut.first:], '.') collate "C"
   from unnest(array[a.domain]) as giv (domain)
   cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
   cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) where a.id = any($2::bigint[])
union all select 'known' as kind, a.id as account_id, null::boolean as reblogs, null::boolean as notify, null::text[] as languages, null::timestamptz as expires_at, null::text as comment from accounts a
    where a.id = any($2::bigint[]) and not (a.erased or a.gone) and (not a.suspended or $3::boolean)
