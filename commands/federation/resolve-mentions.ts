import { type StatusData, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject } from '#kernel/event.ts';
import { HostBudget, spentIn } from '#kernel/host-budget.ts';
import type { Id } from '#kernel/ids.ts';
import type { Resolver } from '#kernel/services/federation.ts';
import { hostOfReference } from '#mastodon/lookup-text.ts';
import { knownMentions, mentionOf, namedAccounts, unknownAccounts } from '#queries/federation/index.ts';
import { status } from '../statuses/index.ts';
import { decideResolve, type WaitingPost } from './decide-resolve.ts';
import { addOwnMentions, type Introduce, type Introduced, type Waiting } from './resolve-own-mentions.ts';

/** The job that fetches accounts that a post mentions and that could not be fetched immediately. */
export const RESOLVE_MENTIONS = 'resolve-mentions';

/** Waiting jobs of all servers together. */
const MAX_WAITING = 10_000;
/** Milliseconds of one round; the next one fetches the rest. */
const ROUND = 60_000;
/** Seconds before each further round for servers that do not answer. */
const PAUSES = [30, 300, 3_600, 21_600];
/**
 * Seconds before the next round when servers are only busy with other requests, and the maximum of such
 * rounds.
 */
const TURN = 2;
const MAX_TURNS = 200;
/** Requests to one host in all rounds for one post, after those at its arrival (`remote/mentions.ts`). */
const MAX_AT_HOST = 4;

interface Attempts {
  tries: number;
  turns: number;
}

type Unresolved = Pick<StatusData, 'id' | 'uri' | 'local' | 'account_id'> & { fetched?: true | undefined };

/** Queues the job for a post; authors of this server and servers of others take turns. */
export async function resolveMentionsLater(
  { services }: CommandContext,
  { id, uri, local, account_id, fetched }: Unresolved,
): Promise<void> {
  if ((await services.jobs.waiting(RESOLVE_MENTIONS)) >= MAX_WAITING) return;
  const host = URL.parse(uri)?.host ?? '';
  const owner = local ? account_id : host;
  const data = { status_id: id, tries: 0, turns: 0, free: fetched ? null : host, spent: {} };
  await services.jobs.enqueue(RESOLVE_MENTIONS, data, { singletonKey: id, owner });
}

/** Adds the accounts that are known by now to the mentions of the post. May run again. */
export async function resolveMentions(
  ctx: CommandContext,
  data: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const { status_id: id, owner, tries, turns, free, spent } = data;
  if (typeof id !== 'string' || typeof owner !== 'string') return;
  if (typeof tries !== 'number' || typeof turns !== 'number') return;
  const state = await ctx.load(statusStream(id), status);
  if (state.state !== 'visible') return;
  const { unresolved_mentions: uris = [] } = state.data;
  if (uris.length === 0) return;
  const own = { ...state.data, uris };
  const sender = typeof free === 'string' ? free : undefined;
  const budget = new HostBudget(MAX_AT_HOST, { free: sender, spent: spentIn(spent) });
  const ask: Ask = (uri) =>
    ctx.services.resolver.introduce(uri, signal, state.data.local ? undefined : budget);
  const introduce: Introduce = (unknown) => introduceAll(unknown, ask, signal);
  const waiting = state.data.local
    ? await addOwnMentions(ctx, own, introduce)
    : await addMentions(ctx, own, introduce);
  const next = { status_id: id, free: sender ?? null, spent: budget.spent };
  await goOn(ctx, { owner, next }, { tries, turns }, waiting);
}

type Ask = (uri: string) => ReturnType<Resolver['introduce']>;

/** Makes accounts known, one after the other. Asks a server that does not answer only once. */
async function introduceAll(unknown: readonly string[], ask: Ask, signal: AbortSignal): Promise<Introduced> {
  const round = AbortSignal.timeout(ROUND);
  const accounts = new Map<string, Id>();
  const waiting: Waiting = { busy: 0, away: 0 };
  const silent = new Set<string | undefined>();
  for (const uri of unknown) {
    signal.throwIfAborted();
    const host = hostOfReference(uri);
    if (round.aborted || silent.has(host)) {
      waiting[round.aborted ? 'busy' : 'away'] += 1;
      continue;
    }
    const answer = await ask(uri);
    if (answer.outcome !== 'done') waiting[answer.outcome] += 1;
    if (answer.outcome === 'away') silent.add(host);
    if (answer.outcome === 'done' && answer.account !== undefined) accounts.set(uri, answer.account);
  }
  return { accounts, waiting };
}

/** Adds mentions to a remote post, which names accounts by their URIs or profile addresses. */
async function addMentions(ctx: CommandContext, own: WaitingPost, introduce: Introduce): Promise<Waiting> {
  const unknown = new Set(await unknownAccounts(ctx.db, own.uris));
  const { accounts, waiting } = await introduce([...unknown]);
  const named = await namedAccounts(ctx.db, [...accounts.values()]);
  const found = new Map(own.uris.filter((uri) => !unknown.has(uri)).map((uri) => [uri, uri]));
  for (const [uri, id] of accounts) found.set(uri, named.get(id)?.uri ?? uri);
  const known = await knownMentions(ctx.db, [...found.values()]);
  const mentions = [...found].flatMap(([uri, accountUri]) => {
    const account = known.find((one) => one.uri === accountUri || one.url === accountUri);
    return account ? [{ uri, mention: mentionOf(account) }] : [];
  });
  if (mentions.length > 0) {
    await ctx.execute(statusStream(own.id), status, (state) => decideResolve(state, own, mentions), {
      step: 'mentions',
    });
  }
  return waiting;
}

/** Queues the next round for servers without an answer so far. */
async function goOn(
  { services }: CommandContext,
  { owner, next }: { owner: string; next: JsonObject & { status_id: Id } },
  { tries, turns }: Attempts,
  { busy, away }: Waiting,
): Promise<void> {
  const [after, attempts]: [number | undefined, Attempts] =
    busy > 0 && turns < MAX_TURNS
      ? [TURN, { tries, turns: turns + 1 }]
      : [PAUSES[tries], { tries: tries + 1, turns }];
  if (busy + away === 0 || after === undefined) return;
  const data = { ...next, ...attempts };
  await services.jobs.enqueue(RESOLVE_MENTIONS, data, { singletonKey: next.status_id, after, owner });
}
