/** SQL: true if a remote post has an interaction policy, by one lookup in the index of a small table. */
export const hasPolicy = (statusId: string): string =>
  `exists (select from interaction_policies ipo where ipo.status_id = ${statusId} offset 0)`;

/** SQL: true if a post or reblog of a local user waits for the approval of another author. */
export const isRequested = (statusId: string): string =>
  `exists (select from interaction_requests irq where irq.id = ${statusId} offset 0)`;
