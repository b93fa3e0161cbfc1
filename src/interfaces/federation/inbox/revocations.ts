import { revokeInteraction } from '#commands/federation/index.ts';
import { forEachBelow } from '#kernel/batches.ts';
import { type Approved, interactionsApprovedBy } from '#queries/federation/index.ts';
import type { ActivityContext } from './activity-context.ts';

/** Removes interactions with posts of the sender, who withdraws the approval. */
export async function revokeApproval(
  { ctx, known, activity, signal }: ActivityContext,
  approved: Approved,
): Promise<void> {
  if (!known) return;
  const author = { id: known.id, uri: activity.actor };
  await forEachBelow(
    (before, limit) => interactionsApprovedBy(ctx.db, approved, author, { before, limit }),
    (interaction) => revokeInteraction(ctx, interaction),
    { signal },
  );
}
