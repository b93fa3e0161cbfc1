import { createHash } from 'node:crypto';
import { awaitedBy, unknownPosts } from '../../queries/federation/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { JsonObject } from '../../src/kernel/event.ts';

/** The job that asks another server for a post that a known post answers. */
export const FETCH_ANCESTOR = 'fetch-ancestor';

/** Posts above a post that came in, one answering the next. */
export const MAX_ANCESTORS = 100;
/** Jobs that may wait, of all servers together. */
const MAX_WAITING = 10_000;
/** How often a server that is away, or was asked often, is asked again: after so many seconds the first time, then twice as many. */
const MAX_TRIES = 5;
const PAUSE = 30;
/** How often a job makes room for others that ask the same server, and for how many seconds. */
const MAX_TURNS = 200;
const TURN = 2;

/** An ancestor that is to be fetched. */
export interface Wanted {
  uri: string;
  /** How many ancestors may be fetched, this one among them. */
  left: number;
}

/** Queues the fetch of a post of another server. Two fetches of one post that both wait are one. */
export async function fetchLater(ctx: CommandContext, wanted: Wanted): Promise<void> {
  const { services, instance } = ctx;
  if (wanted.left <= 0 || wanted.uri.startsWith(`${instance.origin}/`)) return;
  if ((await services.jobs.waiting(FETCH_ANCESTOR)) >= MAX_WAITING) return;
  await enqueue(ctx, wanted, { tries: 0, turns: 0 }, 0);
}

/**
 * Fetches one ancestor; the one above it follows as a job of its own (`rememberStatus`). May be repeated: of a post that is known by
 * now, the ancestor is fetched.
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
