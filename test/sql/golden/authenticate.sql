select t.id, t.application_id, p.name as application_name, t.account_id, t.scopes, t.grant_digest, a.username,
  u.role, u.confirmed, u.approved, u.disabled, u.suspended, u.moved
from durable.access_tokens t
left join users u on u.account_id = t.account_id
left join accounts a on a.id = t.account_id
left join applications p on p.id = t.application_id
where t.token_hash = $1 and t.revoked_at is null
