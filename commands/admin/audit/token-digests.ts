import { TOKEN_DIGESTS_STREAM, type AccessTokensSealedEvent } from '../../../src/events/audit.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import type { Decider } from '../../../src/kernel/decider.ts';

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
