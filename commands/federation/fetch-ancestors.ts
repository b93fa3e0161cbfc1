import { createHash } from 'node:crypto';
import { awaitedBy, unknownPosts } from '../../queries/federation/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { JsonObject } from '../../src/kernel/event.ts';

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

/** An ancestor to fetch. */
export interface Wanted {
  uri: string;
  /** The remaining number of ancestors to fetch, including this one. */
  left: number;
}

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
  const { uri, left, tries, turns } = data;
  if (typeof uri !== 'string' || typeof left !== 'number') return;
  if (typeof tries !== 'number' || typeof turns !== 'number') return;
  if ((await unknownPosts(ctx.db, [uri])).length === 0) {
    const next = await awaitedBy(ctx.db, uri);
    if (next !== undefined) await fetchLater(ctx, { uri: next, left: left - 1 });
    return;
  }
  const wanted = { uri, left };
  const outcome = await ctx.services.resolver.fetchAncestor(uri, left - 1, signal);
  if (outcome === 'busy' && turns < MAX_TURNS) await enqueue(ctx, wanted, { tries, turns: turns + 1 }, TURN);
  if (outcome === 'away' && tries < MAX_TRIES) {
    await enqueue(ctx, wanted, { tries: tries + 1, turns }, PAUSE * 2 ** tries);
  }
}

const enqueue = (
  { services }: CommandContext,
  wanted: Wanted,
  attempts: { tries: number; turns: number },
  after: number,
): Promise<void> =>
  services.jobs.enqueue(
    FETCH_ANCESTOR,
    { ...wanted, ...attempts },
    { singletonKey: createHash('sha256').update(wanted.uri).digest('hex'), after },
  );
