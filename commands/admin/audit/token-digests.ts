import { type AccessTokensSealedEvent, TOKEN_DIGESTS_STREAM } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `access-tokens-digests`: whether tokens without a digest got one. */
export const tokenDigests: Decider<boolean, AccessTokensSealedEvent> = {
  initialState: false,
  evolve: () => true,
};

export const areTokensSealed = (ctx: CommandContext): Promise<boolean> =>
  ctx.load(TOKEN_DIGESTS_STREAM, tokenDigests);

/** Records for auditors that existing tokens are trusted from now on. */
export async function recordTokensSealed(ctx: CommandContext): Promise<void> {
  await ctx.execute(TOKEN_DIGESTS_STREAM, tokenDigests, (isSealed): AccessTokensSealedEvent[] =>
    isSealed ? [] : [{ type: 'AccessTokensSealed', data: {} }],
  );
}
