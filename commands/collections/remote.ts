import type { CollectionDetails, CollectionEvent } from '#events/collections.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { Id } from '#kernel/ids.ts';
import { deletionOf } from './collection.ts';
import { itemOfAccount } from './consent.ts';
import { type Collection, type ExistingCollection, itemOf } from './state.ts';

/** The maximum of stored items of a remote collection. */
export const MAX_REMOTE_ITEMS = 50;

/** A remote collection, fully checked. */
export interface RemoteCollection {
  uri: string;
  url: string;
  /** ISO 8601. */
  created_at: string;
  details: CollectionDetails;
}

/** An item as the server of its collection sends it. */
export interface RemoteItem {
  id: Id;
  account_id: Id;
  uri: string;
  /** The URI of the claimed consent of a remote account. */
  authorization: string;
  /** ISO 8601. */
  created_at: string;
}

/** Changes of these notify the members of a collection. */
const TOLD: readonly (keyof CollectionDetails)[] = ['name', 'description', 'sensitive', 'tag'];

const ownedBy = (state: Collection, ownerId: Id): ExistingCollection | undefined =>
  state && !state.local && state.account_id === ownerId ? state : undefined;

/** Stores the changes of a remote collection. A deleted one returns under its id. Pure. */
export function decideRemember(
  state: Collection,
  id: Id,
  ownerId: Id,
  { details, ...remote }: RemoteCollection,
  { updateId, now }: { updateId: Id; now: string },
): CollectionEvent[] {
  if (!state) {
    return [
      { type: 'CollectionCreated', data: { id, account_id: ownerId, local: false, ...remote, ...details } },
    ];
  }
  const changes = ownedBy(state, ownerId) && changedFields(state.details, details);
  if (!changes) return [];
  const isTold = TOLD.some((name) => name in changes);
  const data = { id, account_id: ownerId, update_id: isTold ? updateId : null, updated_at: now, ...changes };
  return [{ type: 'CollectionUpdated', data }];
}

/** Pure. */
export function decideForget(state: Collection, ownerId: Id): CollectionEvent[] {
  const owned = ownedBy(state, ownerId);
  return owned ? [deletionOf(owned)] : [];
}

/**
 * Adds a local account, which agrees, to a remote collection. Decides nothing for a member, or for an account
 * that removed itself. Pure.
 */
export function decideFeature(
  state: Collection,
  ownerId: Id,
  { id, account_id, created_at }: Omit<RemoteItem, 'uri' | 'authorization'>,
): CollectionEvent[] {
  const owned = ownedBy(state, ownerId);
  if (!owned || owned.revoked.has(account_id) || owned.items.size >= MAX_REMOTE_ITEMS) return [];
  if (itemOfAccount(owned, account_id) !== undefined) return [];
  const data = { id, collection_id: owned.id, owner_id: ownerId, account_id, created_at };
  return [{ type: 'CollectionItemAdded', data }];
}

/** Adds an item of a remote account to its collection; its authorization is not verified yet. Pure. */
export function decideTakeItem(state: Collection, ownerId: Id, item: RemoteItem): CollectionEvent[] {
  const owned = ownedBy(state, ownerId);
  if (!owned || owned.items.size >= MAX_REMOTE_ITEMS) return [];
  if (itemOfAccount(owned, item.account_id) !== undefined) return [];
  const data = { ...item, collection_id: owned.id, owner_id: ownerId, state: 'pending' as const };
  return [{ type: 'CollectionItemAdded', data }];
}

/** Records the URI of an account's item on the server of the collection. Pure. */
export function decideName(state: Collection, ownerId: Id, accountId: Id, uri: string): CollectionEvent[] {
  const owned = ownedBy(state, ownerId);
  const id = owned && itemOfAccount(owned, accountId);
  if (!owned || id === undefined || owned.items.get(id)?.uri === uri) return [];
  return [{ type: 'CollectionItemNamed', data: { ...itemOf(owned, id), uri } }];
}

/** Removes items with URIs that the collection's server does not list in `kept`. Pure. */
export function decideKeep(
  state: Collection,
  ownerId: Id,
  isKept: (uri: string) => boolean,
): CollectionEvent[] {
  const owned = ownedBy(state, ownerId);
  if (!owned) return [];
  return [...owned.items]
    .filter(([, { uri }]) => uri !== null && !isKept(uri))
    .map(([id]) => ({ type: 'CollectionItemRemoved', data: itemOf(owned, id) }));
}
