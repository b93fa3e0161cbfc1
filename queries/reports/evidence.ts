/** SQL: whether a strike `w` with its appeal `p` may be appealed yet, or its appeal waits. */
const appealable = (struckSince: string): string =>
  `case when p.id is null then w.created_at >= ${struckSince} else p.state = 'pending' end`;

/**
 * SQL: whether an upload (an expression for its id) was in a reported status that a decision still needs: the
 * report is open, or a resulting strike may be appealed (not struck before the moment `$struckSince`), or its
 * appeal is open. The same applies to posts that staff removed.
 */
export const heldAsEvidence = (media: string, struckSince: string): string =>
  `(exists (select from report_media held join reports r on r.id = held.report_id
    where held.media_id = ${media}
      and (r.action_taken_at is null
        or exists (select from account_warnings w left join appeals p on p.strike_id = w.id
          where w.report_id = r.id and ${appealable(struckSince)})))
   or exists (select from media_attachments sealed join account_warnings w on w.id = sealed.sealed_by
      left join appeals p on p.strike_id = w.id
    where sealed.id = ${media} and ${appealable(struckSince)}))`;
