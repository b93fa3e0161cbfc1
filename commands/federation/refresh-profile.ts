import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';

/** The job that fetches counts, pinned posts and featured hashtags from an account's server. */
export const REFRESH_PROFILE = 'refresh-profile';

/** Waiting jobs of all servers together. */
const MAX_WAITING = 10_000;
/** Seconds before a refresh that the other server caused; those of one account are merged meanwhile. */
export const CAUSED_THERE = 60;
/** Seconds before each further try when the other server was unreachable. */
const PAUSES = [60, 600];

interface Refreshing {
  accountId: Id;
  uri: string;
  /** The minimum delay in seconds. */
  after?: number;
  /** Failed tries so far. */
  tries?: number;
}

/**
 * Queues a refresh. Two waiting ones of one account are merged, and so are two delayed ones. Servers take
 * turns.
 */
export async function refreshProfileLater(
  { services }: CommandContext,
  { accountId, uri, after = 0, tries = 0 }: Refreshing,
): Promise<void> {
  if ((await services.jobs.waiting(REFRESH_PROFILE)) >= MAX_WAITING) return;
  const data = { account_id: accountId, tries };
  const owner = URL.parse(uri)?.host ?? '';
  // A delayed refresh does not block an immediate one.
  const singletonKey = after > 0 ? `${accountId} later` : accountId;
  await services.jobs.enqueue(REFRESH_PROFILE, data, { singletonKey, after, owner });
}

/** Queues the refresh again after a try that could not reach the server; gives up after some tries. */
export async function refreshProfileAgain(
  ctx: CommandContext,
  { tries = 0, ...refreshing }: Refreshing,
): Promise<void> {
  const after = PAUSES[tries];
  if (after !== undefined) await refreshProfileLater(ctx, { ...refreshing, after, tries: tries + 1 });
}
