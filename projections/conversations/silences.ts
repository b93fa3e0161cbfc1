import type { Db } from '#kernel/read.ts';
import { batch, bigint } from '#kernel/table/index.ts';
import { SILENCES } from './tables.ts';

const SILENCE = SILENCES.put();
const END_SILENCE = SILENCES.remove();
/**
 * One row for each conversation, however many posts it has; includes conversations without visible posts,
 * because a deletion may be applied later.
 */
const REMOVE_WITH = batch(
  'conversations_remove_with',
  { account_id: bigint, target_account_id: bigint, position: bigint },
  (rows) => `update conversations c set last_status_id = null, removed_position = n.position
   from ${rows}
   where c.account_id = n.account_id and n.target_account_id = any(c.participants)`,
);

interface Mark {
  data: { account_id: string; target_account_id: string };
}

/**
 * Removes the conversations of these participants with accounts that they blocked or muted, and ignores these
 * accounts from then on.
 */
export async function silence(
  marks: readonly (Mark & { position: bigint; expires_at: string | null })[],
  byBlock: boolean,
  db: Db,
): Promise<void> {
  const rows = marks.map(({ data, position, expires_at }) => ({
    ...data,
    position,
    by_block: byBlock,
    expires_at,
  }));
  await Promise.all([SILENCE.from(rows, db), REMOVE_WITH.from(rows, db)]);
}

/** Removed conversations stay removed. */
export async function unsilence(marks: readonly Mark[], byBlock: boolean, db: Db): Promise<void> {
  await END_SILENCE(
    marks.map(({ data }) => ({ ...data, by_block: byBlock })),
    db,
  );
}
