import { areTokensSealed, recordTokensSealed } from '#commands/admin/audit/index.ts';
import type { Role } from '#config/config.ts';
import { someLackDigest, storeDigests, type TokenDigests } from '#interfaces/oauth/token-digest.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Db } from '#kernel/read.ts';

/**
 * Gives tokens of a version before 0.2 their digests, once: the log says that it was done, so that a token
 * without a digest stays refused afterwards.
 */
export async function completeTokenDigests(
  role: Role,
  db: Db,
  digests: TokenDigests,
  ctx: CommandContext,
): Promise<void> {
  // A projector builds read models for an upgrade, while processes of the former version still issue tokens.
  if (role === 'projector') return;
  if (!(await someLackDigest(db)) || (await areTokensSealed(ctx))) return;
  await recordTokensSealed(ctx);
  await storeDigests(db, digests);
}
