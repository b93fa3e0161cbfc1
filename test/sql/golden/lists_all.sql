select l.id, l.title, l.replies_policy, l.exclusive from lists l where l.account_id = $1 order by l.id limit 1000
