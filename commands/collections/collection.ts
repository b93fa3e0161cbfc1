import { isDeepStrictEqual } from 'node:util';
import type { CollectionDetails, CollectionEvent } from '#events/collections.ts';
import { conflict, forbidden, invalid, notFound, type RookeryError } from '#kernel/errors.ts';
import { MAX_COLLECTIONS } from '#mastodon/limits.ts';
import { type Collection, type ExistingCollection, itemOf } from './state.ts';

export { collection, type Collection } from './state.ts';

/** https://docs.joinmastodon.org/client/collections/#limitations */
const MAX_ITEMS = 25;

/** The actor and the time (ISO 8601) of an action. */
export interface Act {
  by: string;
  now: string;
}
/** An account to recommend, and the id of its item. */
export interface NewItem {
  id: string;
  account_id: string;
}

/** Known accounts, those that the owner may recommend, and those among them whose servers must be asked. */
interface FeaturableFacts {
  known: ReadonlySet<string>;
  featurable: ReadonlySet<string>;
  asked?: ReadonlySet<string>;
}

/** Creates a collection with its first items. Pure. @throws RookeryError `invalid` */
export function decideCreate(
  state: Collection,
  command: { id: string; origin: string; details: CollectionDetails; items: readonly NewItem[] },
  { by, now }: Act,
  facts: FeaturableFacts,
): CollectionEvent[] {
  if (state) throw conflict();
  if (command.items.length > MAX_ITEMS) throw tooMany();
  for (const item of command.items) assertFeaturable(item, facts);
  const { id, origin, details } = command;
  const created: CollectionEvent = {
    type: 'CollectionCreated',
    data: {
      id,
      account_id: by,
      uri: `${origin}/ap/users/${by}/collections/${id}`,
      url: `${origin}/collections/${id}`,
      created_at: now,
      ...details,
    },
  };
  const items = command.items.map((item): CollectionEvent => ({
    type: 'CollectionItemAdded',
    data: { ...item, ...stateOf(item, facts), collection_id: id, owner_id: by, created_at: now },
  }));
  return [created, ...items];
}

/** @throws RookeryError `invalid` past the limit */
export function checkCollectionLimit(collections: number): void {
  if (collections > MAX_COLLECTIONS) {
    throw invalid(`Validation failed: You have too many collections (maximum is ${MAX_COLLECTIONS})`);
  }
}

/** The fields whose changes notify the members: https://docs.joinmastodon.org/entities/Notification/#type */
const TOLD: readonly string[] = ['name', 'description'];

/**
 * Decides only differences. `updateId` is for the notifications of the members. Pure.
 * @throws RookeryError `not_found`, `forbidden`
 */
export function decideUpdate(
  state: Collection,
  changes: Partial<CollectionDetails>,
  updateId: string,
  { by, now }: Act,
): CollectionEvent[] {
  const { id, details } = ownedBy(state, by);
  const entries = Object.entries(changes).filter(
    ([name, value]) => !isDeepStrictEqual(value, details[name as keyof CollectionDetails]),
  );
  if (entries.length === 0) return [];
  return [
    {
      type: 'CollectionUpdated',
      data: {
        id,
        account_id: by,
        update_id: entries.some(([name]) => TOLD.includes(name)) ? updateId : null,
        updated_at: now,
        ...Object.fromEntries(entries),
      },
    },
  ];
}

/** Pure. @throws RookeryError `not_found`, `forbidden` */
export function decideDelete(state: Collection, { by }: Pick<Act, 'by'>): CollectionEvent[] {
  return [deletionOf(ownedBy(state, by))];
}

export const deletionOf = ({ id, account_id, uri, items }: ExistingCollection): CollectionEvent => ({
  type: 'CollectionDeleted',
  data: { id, account_id, uri, member_ids: [...items.values()].map((item) => item.account_id) },
});

/**
 * Pure. @throws RookeryError `not_found`, `forbidden`, or `invalid` past the limit or for an existing member
 */
export function decideAdd(
  state: Collection,
  item: NewItem,
  { by, now }: Act,
  facts: FeaturableFacts,
): CollectionEvent[] {
  const { id, items, revoked } = ownedBy(state, by);
  assertFeaturable(item, facts);
  if (revoked.has(item.account_id)) throw forbidden();
  if ([...items.values()].some(({ account_id }) => account_id === item.account_id)) {
    throw invalid('Validation failed: Account has already been taken');
  }
  if (items.size >= MAX_ITEMS) throw tooMany();
  return [
    {
      type: 'CollectionItemAdded',
      data: { ...item, ...stateOf(item, facts), collection_id: id, owner_id: by, created_at: now },
    },
  ];
}

/** Pure. @throws RookeryError `not_found`, `forbidden` */
export function decideRemove(state: Collection, itemId: string, { by }: Pick<Act, 'by'>): CollectionEvent[] {
  const owned = ownedBy(state, by);
  return [{ type: 'CollectionItemRemoved', data: itemOf(owned, itemId) }];
}

/** Pure. @throws RookeryError `not_found`; `forbidden` for an item of another account */
export function decideRevoke(state: Collection, itemId: string, { by }: Pick<Act, 'by'>): CollectionEvent[] {
  if (!state) throw notFound();
  const item = itemOf(state, itemId);
  if (item.account_id !== by) throw forbidden();
  return [{ type: 'CollectionItemRevoked', data: item }];
}

function ownedBy(state: Collection, accountId: string): ExistingCollection {
  if (!state) throw notFound();
  if (state.account_id !== accountId) throw forbidden();
  return state;
}

const stateOf = ({ account_id }: NewItem, { asked }: FeaturableFacts): { state?: 'pending' } =>
  asked?.has(account_id) === true ? { state: 'pending' } : {};

const tooMany = (): RookeryError =>
  invalid(`Validation failed: Collection items are too many (maximum is ${MAX_ITEMS})`);

/** @throws RookeryError `not_found` for an unknown account, `forbidden` for one that does not agree */
function assertFeaturable({ account_id }: NewItem, { known, featurable }: FeaturableFacts): void {
  if (!known.has(account_id)) throw notFound();
  if (!featurable.has(account_id)) throw forbidden();
}
