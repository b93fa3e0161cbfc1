import { ipBlockRows } from '../../../queries/admin/ip-blocks/index.ts';
import { ipBlockStream, type IpRules } from '../../../src/events/ip-blocks.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { notFound } from '../../../src/kernel/errors.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { decideBlock, decideChange, decideUnblock, ipBlock } from './ip-block.ts';

/**
 * Blocks a range in Postgres's form. The read models contain it when this resolves. @throws RookeryError
 * `invalid` when it is blocked already
 */
export async function blockRange(
  ctx: CommandContext,
  ip: string,
  rules: IpRules,
  id: Id = ctx.newId(),
): Promise<Id> {
  const block = { ...rules, id, key_id: ctx.newId(), digest: ctx.services.addressDigest(ip), ip };
  await ctx.execute(ipBlockStream(block.digest), ipBlock, (state) => decideBlock(state, block));
  return id;
}

/**
 * Changes a block, perhaps to another range, which is another stream. The new one is written first: after a
 * crash too much is blocked instead of too little, and a repeat of the request completes the change.
 * @throws RookeryError `not_found`, also when it is lifted meanwhile; `invalid` when the other range is
 * blocked already
 */
export async function changeIpBlock(
  ctx: CommandContext,
  id: Id,
  { ip, ...changes }: Partial<IpRules> & { ip?: string },
): Promise<void> {
  const rows = await ipBlockRows(ctx.db, { id });
  const before = rows.find((row) => row.ip === ip) ?? rows[0];
  if (!before) throw notFound();
  const { severity, comment, expires_at } = before;
  const range = ip ?? before.ip;
  if (range !== before.ip) await blockRange(ctx, range, { severity, comment, expires_at }, id);
  const digest = ctx.services.addressDigest(range);
  await ctx.execute(ipBlockStream(digest), ipBlock, (state) => decideChange(state, digest, changes), {
    step: 'change',
  });
  try {
    for (const row of rows) if (row.ip !== range) await unblockRange(ctx, row.ip);
  } catch (error) {
    // Another request lifted it or changed its range first.
    if (range !== before.ip) await unblockRange(ctx, range).catch(() => undefined);
    throw error;
  }
}

/** @throws RookeryError `not_found` when the range is not blocked */
export async function unblockRange(ctx: CommandContext, ip: string): Promise<void> {
  const digest = ctx.services.addressDigest(ip);
  await ctx.execute(ipBlockStream(digest), ipBlock, (state) => decideUnblock(state, digest), {
    step: 'unblock',
  });
}

/** Ends an expired block, unless it was extended or lifted meanwhile. */
export async function endExpired(ctx: CommandContext, digest: string): Promise<void> {
  await ctx.execute(ipBlockStream(digest), ipBlock, (state) =>
    state?.expires_at && state.expires_at <= ctx.now ? decideUnblock(state, digest) : [],
  );
}
