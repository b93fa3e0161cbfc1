import { canonicalEmailBlocksOf } from '../../queries/admin/canonical-email-blocks.ts';
import { blockedEmailDomains } from '../../queries/admin/email-domain-blocks/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { ValidationDetail } from '../../src/kernel/errors.ts';
import { TAKEN } from './field-problems.ts';
import { emailDigest } from './reservations.ts';
import { canonicalEmailHash } from './validation.ts';

/** https://docs.joinmastodon.org/methods/accounts/#422-unprocessable-entity */
const BLOCKED: ValidationDetail = { error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' };

/**
 * Returns the problems that blocks of staff find with an address, which is the form that mails go to, from
 * `normalizeEmail`. The attempt is counted for each of them.
 */
export async function problemsWithEmail(ctx: CommandContext, email: string): Promise<ValidationDetail[]> {
  const { refused } = await blockedEmailDomains(ctx.db, email);
  if (refused.length > 0) {
    await ctx.services.refusedSignUps.record(refused, emailDigest(ctx, email));
    return [BLOCKED];
  }
  const mailbox = await canonicalEmailBlocksOf(ctx.db, { hash: canonicalEmailHash(email) });
  // As Mastodon, which does not tell that the mailbox itself is unwanted.
  return mailbox.length > 0 ? [TAKEN] : [];
}

/**
 * Tells whether staff has to look at a sign-up because of the domain of its address, and counts it for the blocks that say so.
 */
export async function emailNeedsApproval(ctx: CommandContext, email: string): Promise<boolean> {
  const { approved } = await blockedEmailDomains(ctx.db, email);
  if (approved.length === 0) return false;
  await ctx.services.refusedSignUps.record(approved, emailDigest(ctx, email));
  return true;
}
