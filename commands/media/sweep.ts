import { processingMedia, unattachedMedia } from '../../queries/media/index.ts';
import type { MediaEvent } from '../../src/events/media.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { removeMedia } from './delete.ts';
import type { Media } from './media.ts';
import { enqueueProcessing } from './process.ts';

/** https://docs.joinmastodon.org/methods/statuses/#delete: time enough to write a deleted status anew. */
const KEPT_FOR = 24 * 3_600_000;
/** Longer than any processing takes; then its job was lost between two commits. */
const PROCESSED_WITHIN = 30 * 60_000;
const AT_ONCE = 200;

/**
 * Removes uploads that no status has used for a day, and sees to it that none waits for ever to be processed. May run
 * anywhere and at any time.
 * @returns how many were removed
 */
export async function removeUnattachedMedia(ctx: CommandContext): Promise<number> {
  const now = Date.parse(ctx.now);
  const ago = (milliseconds: number): string => new Date(now - milliseconds).toISOString();
  for (const id of await processingMedia(ctx.db, ago(PROCESSED_WITHIN), AT_ONCE)) {
    await enqueueProcessing(ctx, id);
  }
  let removed = 0;
  let after = '0';
  for (;;) {
    const ids = await unattachedMedia(ctx.db, { before: ago(KEPT_FOR), after, limit: AT_ONCE });
    for (const id of ids) await removeMedia(ctx, id, decideRemoveUnattached);
    removed += ids.length;
    after = ids.at(-1) ?? after;
    if (ids.length < AT_ONCE) return removed;
  }
}

/** Pure. */
function decideRemoveUnattached(state: Media): MediaEvent[] {
  if (state.state === 'none' || state.state === 'deleted' || state.statusId !== null) return [];
  return [{ type: 'MediaDeleted', data: { id: state.attachment.id, account_id: state.accountId } }];
}
