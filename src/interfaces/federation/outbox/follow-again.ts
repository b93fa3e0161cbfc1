import { relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import { tiesFromHere } from '#queries/federation/index.ts';
import { followRequest } from './follows.ts';
import { send } from './send.ts';

interface Again {
  /** The remote account. */
  account_id: string;
  /** The cause, which sends nothing twice. */
  change: string;
}

/**
 * Sends all follows of a remote account by local ones again, and the requests that wait for its answer. Nothing
 * changes here, unless the account rejects them.
 */
export async function followAgain(
  ctx: CommandContext,
  { account_id: target_account_id, change }: Again,
  signal: AbortSignal,
): Promise<void> {
  await ctx.waitForReadModels();
  await forEachBelow(
    (before, limit) => tiesFromHere(ctx.db, target_account_id, before, limit),
    async ({ id, account_id }) => {
      const subject = relationshipStream(account_id, target_account_id);
      for (const follow of followRequest({ id, account_id, target_account_id }))
        await send(ctx, follow, { key: `${change}/${id}`, subject });
    },
    { signal },
  );
}
