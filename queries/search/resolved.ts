import type { RequestContext } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import type { Collection } from '#mastodon/schemas/index.ts';
import { findAccount, namesFarAccount } from '../accounts/index.ts';
import { findCollection } from '../collections/index.ts';
import { readyArray } from '../entities/ready-json.ts';
import { findPresent } from '../statuses/index.ts';
import type { Found } from './found.ts';
import { addressIn, findKnown } from './known.ts';

/**
 * Returns the result of an address, as the lists of a reply; undefined for an address of nothing that the
 * viewer may see, and for other text, whose words are searched for instead. With `resolve`, other servers are
 * asked, also for a handle, which then finds the account.
 */
export async function resolvedParts(
  ctx: RequestContext,
  q: string,
  resolve: boolean,
): Promise<Pick<Found, 'accounts' | 'statuses' | 'collections'> | undefined> {
  const { db, instance, services } = ctx;
  const address = addressIn(q);
  if (!address) {
    if (resolve && namesFarAccount(q, instance)) await services.resolver.resolve(q);
    return undefined;
  }
  const collection = await collectionAt(ctx, address);
  if (collection) return { collections: [JSON.stringify([collection])] };
  const known = resolve ? await services.resolver.resolve(q) : await findKnown(db, instance, q);
  if (known?.status !== undefined) {
    const statuses = await findPresent(ctx, [known.status]);
    return statuses.length > 0 ? { statuses: jsonArray(statuses) } : undefined;
  }
  if (known?.account === undefined) return undefined;
  const account = await findAccount(ctx, known.account);
  return account === undefined ? undefined : { accounts: readyArray([account], instance) };
}

/** Returns the collection whose page has this address, if the viewer may see it. */
async function collectionAt(ctx: RequestContext, address: URL): Promise<Collection | undefined> {
  const [, id] = /^\/collections\/([0-9]+)\/?$/.exec(address.pathname) ?? [];
  if (address.origin !== ctx.instance.origin || id === undefined || !isId(id)) return undefined;
  return findCollection(ctx, id);
}
