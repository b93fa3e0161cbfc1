import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { listedStrangers, unlistedFollowers } from '#queries/federation/index.ts';
import { applyRemoteFollowAnswer } from './follows.ts';

/**
 * The job that fetches the list of local followers from a remote account's server and repairs differences
 * (FEP-8fcf).
 */
export const SYNCHRONIZE_FOLLOWERS = 'synchronize-followers';

/** Waiting jobs of all servers together. */
const MAX_WAITING = 1_000;

/** The local followers of a remote account, as its server announced them. */
export interface Synchronization {
  accountId: Id;
  /** The address of the list. */
  url: string;
  digest: string;
  host: string;
}

/** Queues the job. Two waiting ones of one account are merged, and servers take turns. */
export async function synchronizeFollowersLater(
  { services }: CommandContext,
  { accountId, url, digest, host }: Synchronization,
): Promise<void> {
  if ((await services.jobs.waiting(SYNCHRONIZE_FOLLOWERS)) >= MAX_WAITING) return;
  const data = { account_id: accountId, url, digest };
  await services.jobs.enqueue(SYNCHRONIZE_FOLLOWERS, data, { singletonKey: accountId, owner: host });
}

/**
 * Ends the follows of local accounts that are not on the list, like a `Reject`. May run again: it ends the
 * rest.
 */
export async function endUnlistedFollows(
  ctx: CommandContext,
  accountId: Id,
  listed: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const follower of await unlistedFollowers(ctx.db, accountId, listed)) {
    signal.throwIfAborted();
    await applyRemoteFollowAnswer(ctx, {
      account_id: follower,
      target_account_id: accountId,
      answer: 'reject',
    });
  }
}

/**
 * Accepts the requests of accounts on the list. Returns the accounts on it that neither follow nor have asked
 * to. May run again: it accepts the rest.
 */
export async function acceptListed(
  ctx: CommandContext,
  accountId: Id,
  listed: readonly string[],
  signal: AbortSignal,
): Promise<Id[]> {
  const strangers: Id[] = [];
  for (const { id, requested } of await listedStrangers(ctx.db, accountId, listed)) {
    signal.throwIfAborted();
    if (requested)
      await applyRemoteFollowAnswer(ctx, { account_id: id, target_account_id: accountId, answer: 'accept' });
    else strangers.push(id);
  }
  return strangers;
}
