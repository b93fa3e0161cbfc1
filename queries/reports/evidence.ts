/** SQL: true if a strike `w` may still be appealed, or its appeal `p` is undecided. */
const appealable = (struckSince: string): string =>
  `case when p.id is null then w.created_at >= ${struckSince} else p.state = 'pending' end`;

/**
 * SQL: true if an upload (an expression for its id) is in a reported status that a decision still needs: the
 * report is open, a resulting strike may be appealed (it is not older than `$struckSince`), or its appeal is
 * undecided. The same applies to posts that staff removed.
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
