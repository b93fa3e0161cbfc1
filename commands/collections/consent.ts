import type { CollectionEvent } from '#events/collections.ts';
import type { Id } from '#kernel/ids.ts';
import { type Collection, type ExistingCollection, itemOf } from './state.ts';

/*
 * The consent of accounts to be in a collection, when the collection or the account is remote:
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md. All functions are pure.
 */

/** An item and the account that decides about it. */
export interface Consenting {
  itemId: Id;
  accountId: Id;
}

const pendingItem = (state: Collection, { itemId, accountId }: Consenting) => {
  const item = state?.items.get(itemId);
  return state && item?.state === 'pending' && item.account_id === accountId ? { state, item } : undefined;
};

/** Records the authorization before it is verified: its revocation finds the item by it. */
export function decidePropose(
  state: Collection,
  consenting: Consenting,
  authorization: string,
): CollectionEvent[] {
  const found = pendingItem(state, consenting);
  if (!found || found.item.authorization === authorization) return [];
  const data = { ...itemOf(found.state, consenting.itemId), authorization };
  return [{ type: 'CollectionItemProposed', data }];
}

/** A verified authorization counts if it is the recorded one. */
export function decideAccept(
  state: Collection,
  consenting: Consenting,
  authorization: string,
): CollectionEvent[] {
  const found = pendingItem(state, consenting);
  if (found?.item.authorization !== authorization) return [];
  return [{ type: 'CollectionItemAccepted', data: itemOf(found.state, consenting.itemId) }];
}

/** The account refuses. An earlier consent ends. */
export function decideReject(state: Collection, { itemId, accountId }: Consenting): CollectionEvent[] {
  const item = state?.items.get(itemId);
  if (!state || item?.account_id !== accountId) return [];
  const type = item.state === 'pending' ? 'CollectionItemRejected' : 'CollectionItemRevoked';
  return [{ type, data: itemOf(state, itemId) }];
}

/** A remote account revokes the authorization of an item. */
export function decideWithdraw(
  state: Collection,
  { itemId, accountId }: Consenting,
  authorization: string,
): CollectionEvent[] {
  const item = state?.items.get(itemId);
  if (!state || item?.account_id !== accountId || item.authorization !== authorization) return [];
  return [{ type: 'CollectionItemRevoked', data: itemOf(state, itemId) }];
}

/** Returns the item of an account, in any state. */
export const itemOfAccount = (state: ExistingCollection, accountId: Id): Id | undefined =>
  [...state.items].find(([, item]) => item.account_id === accountId)?.[0];
