import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { account } from './account.ts';

/**
 * Gives a local account new keys to sign with. Other servers are told by an `Update` that the former key signs.
 * The key comes first: where the event is not written, they find out when a signature does not hold, and a repeat tells them.
 * @returns false for an account that has no key yet @throws RookeryError `not_found`
 */
export async function rotateKeys(ctx: CommandContext, accountId: Id): Promise<boolean> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || state.domain !== null) throw notFound();
  const retired_key = ctx.newId();
  const keys = await ctx.services.actorKeys.rotate(accountId, retired_key);
  if (!keys) return false;
  const { publicKeyPem: public_key, assertionKey: assertion_key } = keys;
  const data = { account_id: accountId, retired_key, public_key, assertion_key };
  const decide = (now: typeof state | { state: string }) =>
    now.state === 'exists' ? [{ type: 'AccountKeysRotated' as const, data }] : [];
  await ctx.execute(accountStream(accountId), account, decide, { step: 'rotate-keys' });
  return true;
}
