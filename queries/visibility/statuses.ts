/** The aliases of a status and of its author in a statement. */
export interface StatusAliases {
  status: string;
  author: string;
}
const USUAL: StatusAliases = { status: 's', author: 'a' };

/**
 * Who may see a status, as a condition on `statuses` joined with `accounts`. `viewer` is an SQL expression for the reader's
 * account id, null for a reader without a token.
 */
export const visibleTo = (viewer: string, { status: s, author: a }: StatusAliases = USUAL): string => `(
    not ${s}.deleted and not ${a}.suspended and (
      ${s}.visibility in ('public', 'unlisted')
      or ${s}.account_id = ${viewer}::bigint
      or (${s}.visibility = 'private' and exists (
            select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = ${s}.account_id))
      or exists (
            select from status_mentions m where m.status_id = ${s}.id and m.account_id = ${viewer}::bigint)
    )
  )`;

/** Whose statuses a reader wants in timelines and lists. To be asked besides `visibleTo`, and for a reblogged status too. */
export const wantedBy = (viewer: string, { author: a }: Pick<StatusAliases, 'author'> = USUAL): string =>
  `(${viewer}::bigint is null or ${a}.id is not null)`;
