/** SQL: whether an upload (an expression for its id) was in a reported status, and the report still waits. */
export const heldAsEvidence = (media: string): string =>
  `exists (select from report_media held join reports open on open.id = held.report_id
    where held.media_id = ${media} and open.action_taken_at is null)`;
