/**
 * SQL: whether an upload (an expression for its id) was in a reported status, and somebody has to see it yet: the report waits, or a
 * strike that came of it may be appealed (not struck before the moment `$struckSince`), or its appeal waits.
 */
export const heldAsEvidence = (media: string, struckSince: string): string =>
  `exists (select from report_media held join reports r on r.id = held.report_id
    where held.media_id = ${media}
      and (r.action_taken_at is null
        or exists (select from account_warnings w left join appeals p on p.strike_id = w.id
          where w.report_id = r.id
            and case when p.id is null then w.created_at >= ${struckSince} else p.state = 'pending' end)))`;
