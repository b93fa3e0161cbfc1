import { relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type NoteAbout, notesAbout } from '#queries/accounts/index.ts';
import { decideMoveNote, relationship } from '../relationships/index.ts';

/**
 * Copies private notes about a moved account to the new one, which belongs to the same user. May run again.
 * The read models must contain the move.
 */
export async function moveNotes(
  ctx: CommandContext,
  { account_id: old, target_account_id }: { account_id: Id; target_account_id: Id },
  signal: AbortSignal,
): Promise<void> {
  const carry = ({ id: account_id, comment }: NoteAbout) =>
    ctx.execute(
      relationshipStream(account_id, target_account_id),
      relationship,
      (state) => decideMoveNote(state, { account_id, target_account_id, comment }),
      { step: 'note' },
    );
  await forEachBelow((before, limit) => notesAbout(ctx.db, old, before, limit), carry, { signal });
}
