import type { QuotePolicy } from '#events/statuses.ts';
import { statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import {
  decideAcceptQuote,
  decideProposeQuote,
  decideQuotePolicy,
  decideRefuseQuote,
  decideWithdraw,
  type Quoted,
  status,
} from '../statuses/index.ts';
import { useCase } from '../use-case.ts';
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

/** A post and the post that it quotes. */
interface Quoting {
  quotingId: Id;
  quoted: Quoted;
}

/** The author of the quoted post declines. */
export const refuseQuote = useCase({
  stream: ({ quotingId }: Quoting) => statusStream(quotingId),
  decider: status,
  decide: (state, { quoted }) => decideRefuseQuote(state, quoted),
  step: () => 'refuse-quote',
});

/** The author of the quoted post withdrew the authorization. */
export const withdrawQuote = useCase({
  stream: ({ quotingId }: Quoting) => statusStream(quotingId),
  decider: status,
  decide: (state, { quoted }) => decideWithdraw(state, quoted),
  step: () => 'withdraw-quote',
});

/** The accounts that may quote a remote post from now on. */
export const changeRemoteQuotePolicy = useCase({
  stream: ({ id }: RemoteOwn & { policy: QuotePolicy }) => statusStream(id),
  decider: status,
  decide: (state, { accountId, policy }) =>
    state.state === 'visible' && !state.data.local ? decideQuotePolicy(state, accountId, policy) : [],
  step: () => 'quote-policy',
});
