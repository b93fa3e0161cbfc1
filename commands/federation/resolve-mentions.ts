import { knownMentions, mentionOf, namedAccounts, unknownAccounts } from '../../queries/federation/index.ts';
import { statusStream, type StatusEvent } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { JsonObject } from '../../src/kernel/event.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { status, type Status } from '../statuses/index.ts';

/** The job that fetches accounts that a remote post mentions and that could not be fetched immediately. */
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

interface Attempts {
  tries: number;
  turns: number;
}

/** Queues the job for a post; servers of authors take turns. */
export async function resolveMentionsLater(
  { services }: CommandContext,
  { id, uri }: { id: Id; uri: string },
): Promise<void> {
  if ((await services.jobs.waiting(RESOLVE_MENTIONS)) >= MAX_WAITING) return;
  const owner = URL.parse(uri)?.host ?? '';
  const data = { status_id: id, tries: 0, turns: 0 };
  await services.jobs.enqueue(RESOLVE_MENTIONS, data, { singletonKey: id, owner });
}

/** Adds the accounts that are known by now to the mentions of the post. May run again. */
export async function resolveMentions(
  ctx: CommandContext,
  data: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const { status_id: id, owner, tries, turns } = data;
  if (typeof id !== 'string' || typeof owner !== 'string') return;
  if (typeof tries !== 'number' || typeof turns !== 'number') return;
  const state = await ctx.load(statusStream(id), status);
  if (state.state !== 'visible' || state.data.local) return;
  const { unresolved_mentions: uris = [], account_id: accountId } = state.data;
  if (uris.length === 0) return;
  const { found, waiting } = await introduceAll(ctx, uris, signal);
  await addMentions(ctx, { id, accountId }, found);
  await goOn(ctx, { id, owner }, { tries, turns }, waiting);
}

/** The number of servers without an answer so far, by reason. */
type Waiting = Record<'busy' | 'away', number>;

/**
 * Fetches accounts one after the other. Returns the URI of each known one, with its URI in the post. Asks a
 * server that does not answer only once.
 */
async function introduceAll(
  ctx: CommandContext,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<{ found: Map<string, string>; waiting: Waiting }> {
  const round = AbortSignal.timeout(ROUND);
  const unknown = new Set(await unknownAccounts(ctx.db, uris));
  const found = new Map(uris.filter((uri) => !unknown.has(uri)).map((uri) => [uri, uri]));
  const waiting: Waiting = { busy: 0, away: 0 };
  const silent = new Set<string | undefined>();
  for (const uri of unknown) {
    signal.throwIfAborted();
    const host = URL.parse(uri)?.host;
    if (round.aborted || silent.has(host)) {
      waiting[round.aborted ? 'busy' : 'away'] += 1;
      continue;
    }
    const answer = await ctx.services.resolver.introduce(uri, signal);
    if (answer.outcome !== 'done') waiting[answer.outcome] += 1;
    if (answer.outcome === 'away') silent.add(host);
    if (answer.outcome !== 'done' || answer.account === undefined) continue;
    const account = (await namedAccounts(ctx.db, [answer.account])).get(answer.account);
    if (account) found.set(uri, account.uri);
  }
  return { found, waiting };
}

async function addMentions(
  ctx: CommandContext,
  own: { id: Id; accountId: Id },
  found: ReadonlyMap<string, string>,
): Promise<void> {
  if (found.size === 0) return;
  const known = await knownMentions(ctx.db, [...found.values()]);
  const mentions = [...found].flatMap(([uri, accountUri]) => {
    const account = known.find((one) => one.uri === accountUri || one.url === accountUri);
    return account ? [{ uri, mention: mentionOf(account) }] : [];
  });
  await ctx.execute(statusStream(own.id), status, (state) => decideResolve(state, own, mentions), {
    step: 'mentions',
  });
}

/** A mentioned account, and its URI in the post. */
interface Resolution {
  uri: string;
  mention: ReturnType<typeof mentionOf>;
}

/** Adds accounts to the mentions of a post that still waits for them. Pure. */
export function decideResolve(
  state: Status,
  { id, accountId }: { id: Id; accountId: Id },
  resolutions: readonly Resolution[],
): StatusEvent[] {
  if (state.state !== 'visible' || state.data.local || state.data.account_id !== accountId) return [];
  const { unresolved_mentions: awaited = [], mentions: before } = state.data;
  const taken = resolutions.filter(({ uri }) => awaited.includes(uri));
  if (taken.length === 0) return [];
  const added = new Map(taken.map(({ mention }) => [mention.id, mention]));
  for (const { id: known } of before) added.delete(known);
  const data = {
    id,
    account_id: accountId,
    uris: taken.map(({ uri }) => uri),
    mentions: [...added.values()],
  };
  return [{ type: 'MentionsResolved', data }];
}

/** Queues the next round for servers without an answer so far. */
async function goOn(
  { services }: CommandContext,
  { id, owner }: { id: Id; owner: string },
  { tries, turns }: Attempts,
  { busy, away }: Waiting,
): Promise<void> {
  const [after, attempts]: [number | undefined, Attempts] =
    busy > 0 && turns < MAX_TURNS
      ? [TURN, { tries, turns: turns + 1 }]
      : [PAUSES[tries], { tries: tries + 1, turns }];
  if (busy + away === 0 || after === undefined) return;
  const data = { status_id: id, ...attempts };
  await services.jobs.enqueue(RESOLVE_MENTIONS, data, { singletonKey: id, after, owner });
}
