import type { App } from '#app/app.ts';
import { enableTwoFactor, prepareTwoFactor, totpCode } from '#commands/accounts/index.ts';

/** A user's authenticator app and recovery codes. */
export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  /**
   * The code of the next period, which is already valid. The code of the present period was used to turn it
   * on.
   */
  code: string;
}

/** Turns two-factor authentication on for an account. */
export async function withTwoFactor(app: App, accountId: string): Promise<Authenticator> {
  const secret = await prepareTwoFactor(app.systemContext('spec'), accountId);
  const ctx = app.systemContext('spec');
  const recoveryCodes = await enableTwoFactor(ctx, accountId, { secret, code: totpCode(secret, ctx.now) });
  return { secret, recoveryCodes, code: nextCode(secret, ctx.now) };
}

/** Returns the code of the period after a moment (ISO 8601). */
export const nextCode = (secret: string, now: string): string =>
  totpCode(secret, new Date(Date.parse(now) + 30_000).toISOString());
