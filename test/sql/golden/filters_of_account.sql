select f.id, f.title, f.context, f.expires_at, f.filter_action,
  (select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)
     order by k.id) from filter_keywords k where k.filter_id = f.id) as keywords,
  (select json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id)
     from filter_statuses s where s.filter_id = f.id) as statuses
from filters f where f.account_id = $1 and ($2::bigint is null or f.id = $2) order by f.id
