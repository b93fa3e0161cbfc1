import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** The job that asks an account's server for its counts, pinned posts and featured hashtags. */
export const REFRESH_PROFILE = 'refresh-profile';

/** Jobs that may wait, of all servers together. */
const MAX_WAITING = 10_000;
/** Seconds that a refresh waits which the other server itself caused: those of one account are one meanwhile. */
export const CAUSED_THERE = 60;
/** Seconds before each further try where the other server could not be asked. */
const PAUSES = [60, 600];

interface Refreshing {
  accountId: Id;
  uri: string;
  /** Seconds that it waits at least. */
  after?: number;
  /** How often the other server could not be asked so far. */
  tries?: number;
}

/** Queues a refresh; two of one account that both wait are one, and so are two that are both put off. Servers take turns. */
export async function refreshProfileLater(
  { services }: CommandContext,
  { accountId, uri, after = 0, tries = 0 }: Refreshing,
): Promise<void> {
  if ((await services.jobs.waiting(REFRESH_PROFILE)) >= MAX_WAITING) return;
  const data = { account_id: accountId, tries };
  const owner = URL.parse(uri)?.host ?? '';
  // A refresh that is put off holds up none that is wanted now.
  const singletonKey = after > 0 ? `${accountId} later` : accountId;
  await services.jobs.enqueue(REFRESH_PROFILE, data, { singletonKey, after, owner });
}

/** Queues the refresh once more after one that found the server away; nothing after some tries. */
export async function refreshProfileAgain(
  ctx: CommandContext,
  { tries = 0, ...refreshing }: Refreshing,
): Promise<void> {
  const after = PAUSES[tries];
  if (after !== undefined) await refreshProfileLater(ctx, { ...refreshing, after, tries: tries + 1 });
}
