import { type QuotaClaim, type QuotaItem, quotaStream } from '#events/quotas.ts';
import type { CommandContext } from '#kernel/context.ts';
import { conflict } from '#kernel/errors.ts';
import {
  decideClaim,
  decideClose,
  decideRelease,
  liveClaims,
  type QuotaOwner,
  type QuotaState,
  quotaState,
} from './quota.ts';

/** The maximum of claims by one repeated request, each after the end of the previous one. */
const ATTEMPTS = 8;
/** Milliseconds that no request exceeds: after them, no request refers to the previous month. */
const TURN_OF_MONTH = 3_600_000;

/** A claim and its stream. */
export interface Claimed extends QuotaOwner {
  stream: string;
  claim_id: string;
}

/**
 * The places of a quota: the present state in the read models without these things, and the check for them.
 */
export interface QuotaUsage<Usage> {
  held: (items: readonly QuotaItem[]) => Promise<Usage>;
  /** Pure. @throws RookeryError `invalid` without room */
  check: (held: Usage, items: readonly QuotaItem[]) => void;
}

/**
 * Claims places for things, if there are any left: besides those in the read models, which are asked when the stream of claims has
 * been read, and besides those that others have claimed. Each claim stands at the expected revision, so of two for the last
 * place one sees the other.
 * @throws RookeryError what `check` throws; `conflict`
 */
export async function claim<Usage>(
  ctx: CommandContext,
  owned: QuotaOwner,
  items: QuotaItem[],
  { held, check }: QuotaUsage<Usage>,
): Promise<Claimed> {
  const claimId = ctx.newId();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // The present time, even for a request that is repeated hours later.
    const at = new Date();
    const now = at.toISOString();
    const stream = streamAt(owned, at);
    const gather = async (before: QuotaState) => {
      const left = before.state === 'none' ? await leftBefore(ctx, owned, at) : [];
      const others = [...liveClaims(before, now), ...left].flatMap((each) => each.items);
      return { left, there: await held([...others, ...items]) };
    };
    const { state, events } = await ctx.execute(
      stream,
      quotaState,
      (before, { left, there }) =>
        decideClaim(
          before,
          { ...owned, claim_id: claimId, at: now, items },
          { left, check: (all) => check(there, all) },
        ),
      { step: `claim ${attempt}`, gather },
    );
    const [made] = events;
    const mine = made?.type === 'QuotaClaimed' ? made.data.claims.at(-1)?.claim_id : undefined;
    // A repeated request finds its earlier claim, which may have ended.
    if (mine !== undefined && liveClaims(state, now).some(({ claim_id }) => claim_id === mine)) {
      return { ...owned, stream, claim_id: mine };
    }
  }
  throw conflict();
}

/** From now on the read models count it, or it failed. */
export async function release(ctx: CommandContext, { stream, claim_id, ...owned }: Claimed): Promise<void> {
  await ctx.execute(stream, quotaState, (state) => decideRelease(state, owned, claim_id), {
    step: `release ${claim_id}`,
  });
}

const streamAt = ({ quota, owner_id }: QuotaOwner, at: Date): string =>
  quotaStream(quota, owner_id, at.toISOString().slice(0, 7));

/**
 * Returns the claims of the previous month that still count. They exist only at the turn of the month, which
 * closes the previous stream.
 */
async function leftBefore(ctx: CommandContext, owned: QuotaOwner, at: Date): Promise<QuotaClaim[]> {
  const began = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  if (at.getTime() - began > TURN_OF_MONTH) return [];
  const { state } = await ctx.execute(
    streamAt(owned, new Date(began - 1)),
    quotaState,
    (before) => decideClose(before, owned),
    { step: 'close' },
  );
  return liveClaims(state, at.toISOString());
}
