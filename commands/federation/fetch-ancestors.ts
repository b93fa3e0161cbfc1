import { createHash } from 'node:crypto';
import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject } from '#kernel/event.ts';
import { HostBudget, spentIn } from '#kernel/host-budget.ts';
import { awaitedBy, unknownPosts } from '#queries/federation/index.ts';

/** The job that fetches a post that a known post replies to. */
export const FETCH_ANCESTOR = 'fetch-ancestor';

/** The maximum of posts above an incoming post, each replying to the next. */
export const MAX_ANCESTORS = 100;
/** Waiting jobs of all servers together. */
const MAX_WAITING = 10_000;
/**
 * Tries for a server that is unreachable or busy: after so many seconds the first time, then after twice as
 * many.
 */
const MAX_TRIES = 5;
const PAUSE = 30;
/** How often a job yields to others for the same server, and for how many seconds. */
const MAX_TURNS = 200;
const TURN = 2;

/** The maximum of requests to one host for all posts above an incoming one. */
const MAX_AT_HOST = 10;

/** The rest of a chain of ancestors. */
export interface Above {
  /** The remaining number of ancestors to fetch. */
  left: number;
  /** The requests that the chain may still make to each host; absent when a user waits for it. */
  budget?: HostBudget | undefined;
}

/** An ancestor to fetch; `left` includes it. */
export interface Wanted extends Above {
  uri: string;
}

/** Returns the bounds of the chain above an incoming post. The host that sent the post itself has no budget. */
export const aboveIncoming = ({ uri, fetched }: { uri: string; fetched?: true }): Above => ({
  left: MAX_ANCESTORS,
  budget: new HostBudget(MAX_AT_HOST, { free: fetched ? undefined : URL.parse(uri)?.host }),
});

/** Queues the fetch of a remote post. Two waiting fetches of one post are merged. */
export async function fetchLater(ctx: CommandContext, wanted: Wanted): Promise<void> {
  const { services, instance } = ctx;
  if (wanted.left <= 0 || wanted.uri.startsWith(`${instance.origin}/`)) return;
  if ((await services.jobs.waiting(FETCH_ANCESTOR)) >= MAX_WAITING) return;
  await enqueue(ctx, wanted, { tries: 0, turns: 0 }, 0);
}

/**
 * Fetches one ancestor; the next one is a job of its own (`upsertRemoteStatus`). May run again: for a post
 * that is known by now, it fetches the post's ancestor.
 */
export async function fetchAncestor(
  ctx: CommandContext,
  data: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const { uri, left, tries, turns, free, spent } = data;
  if (typeof uri !== 'string' || typeof left !== 'number') return;
  if (typeof tries !== 'number' || typeof turns !== 'number') return;
  const budget = spent === null ? undefined : budgetOf({ free, spent });
  if ((await unknownPosts(ctx.db, [uri])).length === 0) {
    const next = await awaitedBy(ctx.db, uri);
    if (next !== undefined) await fetchLater(ctx, { uri: next, left: left - 1, budget });
    return;
  }
  const wanted = { uri, left, budget };
  const outcome = await ctx.services.resolver.fetchAncestor(uri, left - 1, signal, budget);
  if (outcome === 'busy' && turns < MAX_TURNS) await enqueue(ctx, wanted, { tries, turns: turns + 1 }, TURN);
  if (outcome === 'away' && tries < MAX_TRIES) {
    await enqueue(ctx, wanted, { tries: tries + 1, turns }, PAUSE * 2 ** tries);
  }
}

const budgetOf = ({ free, spent }: { free: unknown; spent: unknown }): HostBudget =>
  new HostBudget(MAX_AT_HOST, { free: typeof free === 'string' ? free : undefined, spent: spentIn(spent) });

const enqueue = (
  { services }: CommandContext,
  { uri, left, budget }: Wanted,
  attempts: { tries: number; turns: number },
  after: number,
): Promise<void> =>
  services.jobs.enqueue(
    FETCH_ANCESTOR,
    { uri, left, ...attempts, free: budget?.free ?? null, spent: budget?.spent ?? null },
    { singletonKey: createHash('sha256').update(uri).digest('hex'), after },
  );
