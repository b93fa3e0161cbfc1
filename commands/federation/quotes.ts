import type { QuotePolicy } from '../../src/events/statuses.ts';
import { statusStream } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import {
  decideAcceptQuote,
  decideProposeQuote,
  decideQuotePolicy,
  decideRefuseQuote,
  decideWithdraw,
  status,
  type Quoted,
  type Status,
} from '../statuses/index.ts';
import type { RemoteOwn } from './posts.ts';

/*
 * Quotes between servers: https://w3id.org/fep/044f. Each action has a step of its own, because one activity
 * may lead to several.
 */

/** Records the authorization that a quote names. @returns whether the quote waits for its verification */
export async function proposeQuote(
  ctx: CommandContext,
  quotingId: Id,
  quoted: Quoted,
  authorization: string,
): Promise<boolean> {
  const { state } = await ctx.execute(
    statusStream(quotingId),
    status,
    (now) => decideProposeQuote(now, quoted, authorization),
    { step: 'propose-quote' },
  );
  const isMine = state.state === 'visible' && state.quoteAuthorization === authorization;
  return isMine && state.data.quote?.id === quoted.id && state.data.quote.state === 'pending';
}

/** The author of the quoted post agrees. @returns whether the post quotes it from now on */
export async function acceptQuote(
  ctx: CommandContext,
  quotingId: Id,
  quoted: Quoted,
  authorization: string | null,
): Promise<boolean> {
  const acceptance = { acceptId: ctx.newId(), authorization };
  const { state } = await ctx.execute(
    statusStream(quotingId),
    status,
    (now) => decideAcceptQuote(now, quoted, acceptance),
    { step: 'accept-quote' },
  );
  const quote = state.state === 'visible' ? state.data.quote : null;
  return quote?.id === quoted.id && quote.state === 'accepted';
}

/** The author of the quoted post declines. */
export const refuseQuote = (ctx: CommandContext, quotingId: Id, quoted: Quoted): Promise<void> =>
  changeQuote(ctx, quotingId, 'refuse-quote', (now) => decideRefuseQuote(now, quoted));

/** The author of the quoted post withdrew the authorization. */
export const withdrawQuote = (ctx: CommandContext, quotingId: Id, quoted: Quoted): Promise<void> =>
  changeQuote(ctx, quotingId, 'withdraw-quote', (now) => decideWithdraw(now, quoted));

/** The accounts that may quote a remote post from now on. */
export const changeRemoteQuotePolicy = (
  ctx: CommandContext,
  { id, accountId }: RemoteOwn,
  policy: QuotePolicy,
): Promise<void> =>
  changeQuote(ctx, id, 'quote-policy', (now) =>
    now.state === 'visible' && !now.data.local ? decideQuotePolicy(now, accountId, policy) : [],
  );

async function changeQuote(
  ctx: CommandContext,
  id: Id,
  step: string,
  decide: (state: Status) => ReturnType<typeof decideWithdraw>,
): Promise<void> {
  await ctx.execute(statusStream(id), status, decide, { step });
}
