/**
 * Who may see a status, as a condition on `statuses s` joined with `accounts a`. `viewer` is the SQL parameter that holds
 * the reader's account id, or null for a reader without a token.
 */
export const visibleTo = (viewer: string): string => `(
    not s.deleted and not a.suspended and (
      s.visibility in ('public', 'unlisted')
      or s.account_id = ${viewer}::bigint
      or (s.visibility = 'private' and exists (
            select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = s.account_id))
      or exists (
            select from status_mentions m where m.status_id = s.id and m.account_id = ${viewer}::bigint)
    )
  )`;
