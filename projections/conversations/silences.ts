import { type Db, statement } from '#kernel/read.ts';

const SILENCE = statement(
  'conversation_silences_put',
  `insert into conversation_silences (account_id, target_account_id, by_block, expires_at)
   select account_id, target_account_id, $3, expires_at
   from unnest($1::bigint[], $2::bigint[], $4::timestamptz[]) as n (account_id, target_account_id, expires_at)
   on conflict (account_id, target_account_id, by_block) do update set expires_at = excluded.expires_at`,
);
const END_SILENCE = statement(
  'conversation_silences_delete',
  `delete from conversation_silences q using unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)
   where q.account_id = n.account_id and q.target_account_id = n.target_account_id and q.by_block = $3`,
);
/**
 * One row for each conversation, however many posts it has; includes conversations without visible posts,
 * because a deletion may be applied later.
 */
const REMOVE_WITH = statement(
  'conversations_remove_with',
  `update conversations c set last_status_id = null, removed_position = n.position
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (account_id, target_account_id, position)
   where c.account_id = n.account_id and n.target_account_id = any(c.participants)`,
);

interface Mark {
  data: { account_id: string; target_account_id: string };
}
const columns = (marks: readonly Mark[]): unknown[][] => [
  marks.map(({ data }) => data.account_id),
  marks.map(({ data }) => data.target_account_id),
];

/**
 * Removes the conversations of these participants with accounts that they blocked or muted, and ignores these
 * accounts from then on.
 */
export async function silence(
  marks: readonly (Mark & { position: bigint; expires_at: string | null })[],
  byBlock: boolean,
  db: Db,
): Promise<void> {
  const pairs = columns(marks);
  const positions = marks.map(({ position }) => position.toString());
  await Promise.all([
    db.query(SILENCE, [...pairs, byBlock, marks.map(({ expires_at }) => expires_at)]),
    db.query(REMOVE_WITH, [...pairs, positions]),
  ]);
}

/** Removed conversations stay removed. */
export async function unsilence(marks: readonly Mark[], byBlock: boolean, db: Db): Promise<void> {
  await db.query(END_SILENCE, [...columns(marks), byBlock]);
}
