import { enableTwoFactor, prepareTwoFactor, totpCode } from '../../commands/accounts/index.ts';
import type { App } from '../../src/app.ts';

/** Somebody's phone and sheet of paper. */
export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  /** The code of the period to come, which counts already. The present one turned it on. */
  code: string;
}

/** Turns two-factor sign-in on for an account. */
export async function withTwoFactor(app: App, accountId: string): Promise<Authenticator> {
  const secret = await prepareTwoFactor(app.systemContext('spec'), accountId);
  const ctx = app.systemContext('spec');
  const recoveryCodes = await enableTwoFactor(ctx, accountId, { secret, code: totpCode(secret, ctx.now) });
  return { secret, recoveryCodes, code: nextCode(secret, ctx.now) };
}

/** Of the period after that of a moment (ISO 8601). */
export const nextCode = (secret: string, now: string): string =>
  totpCode(secret, new Date(Date.parse(now) + 30_000).toISOString());
