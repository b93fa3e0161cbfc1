import type { RequestContext } from '../../src/kernel/context.ts';
import { jsonArray, type JsonPieces } from '../../src/kernel/json-pieces.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { findAccount, namesFarAccount } from '../accounts/index.ts';
import { readyArray } from '../entities/ready-json.ts';
import { findPresent } from '../statuses/index.ts';
import { addressIn, findKnown } from './known.ts';

/**
 * What an address names, as the lists of a reply; undefined where it names nothing that the reader may see, and for all that is
 * no address: then words are to be looked for. With `resolve` other servers are asked, also for a handle, by which the account
 * is found afterwards.
 */
export async function resolvedParts(
  ctx: RequestContext,
  q: string,
  resolve: boolean,
): Promise<{ accounts?: JsonPieces; statuses?: JsonPieces } | undefined> {
  const { db, instance, services } = ctx;
  if (!addressIn(q)) {
    if (resolve && namesFarAccount(q, instance)) await services.resolver.resolve(q);
    return undefined;
  }
  await ctx.settle([MAIN]);
  const known = resolve ? await services.resolver.resolve(q) : await findKnown(db, instance, q);
  if (known?.status !== undefined) {
    const statuses = await findPresent(ctx, [known.status]);
    return statuses.length > 0 ? { statuses: jsonArray(statuses) } : undefined;
  }
  if (known?.account === undefined) return undefined;
  const account = await findAccount(ctx, known.account);
  return account === undefined ? undefined : { accounts: readyArray([account], instance) };
}
