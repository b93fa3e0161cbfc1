import { useCase } from '#commands/use-case.ts';
import { ipBlockStream, type IpRules } from '#events/ip-blocks.ts';
import type { CommandContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { ipBlockRows } from '#queries/admin/ip-blocks/index.ts';
import { decideBlock, decideChange, decideUnblock, ipBlock } from './ip-block.ts';

/**
 * Blocks a range in Postgres's form. The read models contain it when this resolves. @throws RookeryError
 * `invalid` when it is blocked already
 */
export const blockRange = useCase({
  prepare: ({ newId, services }, { ip, id, ...rules }: IpRules & { ip: string; id: Id }) => ({
    ...rules,
    id,
    key_id: newId(),
    digest: services.addressDigest(ip),
    ip,
  }),
  stream: ({ digest }) => ipBlockStream(digest),
  decider: ipBlock,
  decide: decideBlock,
});

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
  if (range !== before.ip) await blockRange(ctx, { ip: range, id, severity, comment, expires_at });
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
export const unblockRange = useCase({
  prepare: ({ services }, ip: string) => services.addressDigest(ip),
  stream: ipBlockStream,
  decider: ipBlock,
  decide: decideUnblock,
  step: () => 'unblock',
});

/** Ends an expired block, unless it was extended or lifted meanwhile. */
export const endExpired = useCase({
  prepare: ({ now }, digest: string) => ({ digest, now }),
  stream: ({ digest }) => ipBlockStream(digest),
  decider: ipBlock,
  decide: (state, { digest, now }) =>
    state?.expires_at && state.expires_at <= now ? decideUnblock(state, digest) : [],
});
