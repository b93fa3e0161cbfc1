import { scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { statusStream } from '#events/statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { scheduledStatusText } from '#queries/scheduled-statuses/index.ts';
import { statusText } from '#queries/statuses/index.ts';
import { scheduledStatus } from '../scheduled-statuses/index.ts';
import { status } from './status.ts';

/**
 * Returns the result of an earlier request with the same `Idempotency-Key`, posted or scheduled under this
 * id, as JSON text; undefined when it stored nothing.
 * @throws RookeryError `not_found` for a deleted post
 */
export async function postedBefore(ctx: UserContext, id: string): Promise<string | JsonPieces | undefined> {
  const posted = await ctx.load(statusStream(id), status);
  const isPosted = posted.state !== 'none';
  if (!isPosted) {
    const scheduled = await ctx.load(scheduledStatusStream(id), scheduledStatus);
    if (scheduled.state === 'none') return undefined;
  }
  await ctx.waitForReadModels();
  return isPosted ? statusText(ctx, id) : scheduledStatusText(ctx, id);
}
