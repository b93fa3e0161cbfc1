import { relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { followsWith, peopleTiedTo, tiesLeftWith, tiesWith } from '#queries/domain-blocks/index.ts';
import { sever } from '../relationships/index.ts';
import type { DomainBlock } from './domain-block.ts';
import { recordSeverance } from './severance.ts';

/**
 * Ends the follows and follow requests between an account and a domain that it blocks (`id` is the block's),
 * each in the stream of its pair. May run again: it continues with the rest. The read models must contain all
 * follows from before the block.
 */
export async function severFromAccount(
  ctx: CommandContext,
  { id, account_id, domain }: DomainBlock & { id: Id },
  signal: AbortSignal,
): Promise<void> {
  const counts = await followsWith(ctx.db, account_id, domain);
  await recordSeverance(ctx, { id, type: 'user_domain_block', target_name: domain, account_id, ...counts });
  await forEachBelow(
    (before, limit) => tiesWith(ctx.db, account_id, domain, before, limit),
    ({ other_id }) => sever(ctx, { account_id, target_account_id: other_id }),
    { signal },
  );
}

/** Concurrent appends: few enough for memory, enough to share commits. */
const BATCH = 100;

/**
 * Does the same for all local accounts and a domain that staff suspended, with its subdomains. Counts every
 * account's loss before any follow ends, so that a repeat after a crash counts correctly. The read models
 * must contain the block.
 */
export async function severFromServer(
  ctx: CommandContext,
  { id, domain }: { id: Id; domain: string },
  signal: AbortSignal,
): Promise<void> {
  await forEachBelow(
    (before, limit) => peopleTiedTo(ctx.db, domain, before, limit),
    ({ id: account_id, followers_count, following_count }) => {
      const severed = { id, type: 'domain_block', target_name: domain } as const;
      return recordSeverance(ctx, { ...severed, account_id, followers_count, following_count });
    },
    { signal },
  );
  let before = new Set<string>();
  for (;;) {
    signal.throwIfAborted();
    const pairs = new Map(
      (await tiesLeftWith(ctx.db, domain, BATCH)).map((pair) => [
        relationshipStream(pair.account_id, pair.target_account_id),
        pair,
      ]),
    );
    if (pairs.size === 0) return;
    // Ended follows have left the read models by now; otherwise this would never end.
    if ([...pairs.keys()].some((stream) => before.has(stream))) throw new Error('Follows do not end');
    before = new Set(pairs.keys());
    await Promise.all([...pairs.values()].map((pair) => sever(ctx, pair)));
  }
}
