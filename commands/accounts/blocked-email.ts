import type { CommandContext } from '#kernel/context.ts';
import type { ValidationDetail } from '#kernel/errors.ts';
import { TAKEN } from '#kernel/field-problems.ts';
import { canonicalEmailBlocksOf } from '#queries/admin/canonical-email-blocks.ts';
import { blockedEmailDomains } from '#queries/admin/email-domain-blocks/index.ts';
import { emailDigest } from './reservations.ts';
import { canonicalEmailHash } from './validation.ts';

/** https://docs.joinmastodon.org/methods/accounts/#422-unprocessable-entity */
const BLOCKED: ValidationDetail = { error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' };

/**
 * Returns the problems that blocks by staff cause for an address in the form of `normalizeEmail`. Counts the
 * attempt for each block.
 */
export async function problemsWithEmail(ctx: CommandContext, email: string): Promise<ValidationDetail[]> {
  const { refused } = await blockedEmailDomains(ctx.db, email);
  if (refused.length > 0) {
    await ctx.services.refusedSignUps.record(refused, emailDigest(ctx, email));
    return [BLOCKED];
  }
  const mailbox = await canonicalEmailBlocksOf(ctx.db, { hash: canonicalEmailHash(email) });
  // As in Mastodon, which does not reveal that the mailbox itself is blocked.
  return mailbox.length > 0 ? [TAKEN] : [];
}

/**
 * Tells whether a sign-up needs approval because of the domain of its address. Counts it for the blocks that
 * require that.
 */
export async function emailNeedsApproval(ctx: CommandContext, email: string): Promise<boolean> {
  const { approved } = await blockedEmailDomains(ctx.db, email);
  if (approved.length === 0) return false;
  await ctx.services.refusedSignUps.record(approved, emailDigest(ctx, email));
  return true;
}
