import { relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { waitingFor } from '#queries/follow-requests/index.ts';
import { decideAuthorize, directionOf, relationship } from '../relationships/index.ts';

/**
 * Accepts the follow requests towards an account with ids below `before`, each in the stream of its pair;
 * withdrawn requests are skipped. May be repeated: it continues with the rest.
 */
export async function acceptWaiting(
  ctx: CommandContext,
  accountId: Id,
  range: { signal: AbortSignal; before: Id },
): Promise<void> {
  await forEachBelow(
    (before, limit) => waitingFor(ctx.db, accountId, before, limit),
    ({ account_id }) =>
      ctx.execute(relationshipStream(accountId, account_id), relationship, (state) =>
        directionOf(state, account_id).requested
          ? decideAuthorize(state, { account_id, target_account_id: accountId })
          : [],
      ),
    range,
  );
}
