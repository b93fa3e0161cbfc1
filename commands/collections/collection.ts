import { isDeepStrictEqual } from 'node:util';
import type { CollectionDetails, CollectionEvent } from '../../src/events/collections.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { conflict, forbidden, invalid, notFound, type RookeryError } from '../../src/kernel/errors.ts';
import { MAX_COLLECTIONS } from '../../src/kernel/limits.ts';

/** https://docs.joinmastodon.org/client/collections/#limitations */
const MAX_ITEMS = 25;

/** Null while there is none, and when it was deleted. */
export type Collection = ExistingCollection | null;
export interface ExistingCollection {
  id: string;
  account_id: string;
  details: CollectionDetails;
  /** Accounts by the id of their item. */
  items: ReadonlyMap<string, string>;
  /** Accounts that do not want to be in it. */
  revoked: ReadonlySet<string>;
}

export const collection: Decider<Collection, CollectionEvent> = {
  initialState: null,
  evolve(state, event) {
    if (event.type === 'CollectionCreated') {
      const { id, account_id, uri: _uri, url: _url, created_at: _at, ...details } = event.data;
      return { id, account_id, details, items: new Map(), revoked: new Set() };
    }
    if (!state) return state;
    switch (event.type) {
      case 'CollectionUpdated': {
        const { id: _id, account_id: _account, update_id: _update, updated_at: _at, ...changes } = event.data;
        const given = Object.entries(changes).filter(([, value]) => value !== undefined);
        return { ...state, details: { ...state.details, ...Object.fromEntries(given) } };
      }
      case 'CollectionDeleted':
        return null;
      case 'CollectionItemAdded':
        return { ...state, items: new Map(state.items).set(event.data.id, event.data.account_id) };
      case 'CollectionItemRemoved':
        return { ...state, items: without(state.items, event.data.id) };
      case 'CollectionItemRevoked':
        return {
          ...state,
          items: without(state.items, event.data.id),
          revoked: new Set(state.revoked).add(event.data.account_id),
        };
    }
  },
};

/** Who acts, and when (ISO 8601). */
export interface Act {
  by: string;
  now: string;
}
/** An account that is to be recommended, and the id of its item. */
export interface NewItem {
  id: string;
  account_id: string;
}

/**
 * A collection with its first items. `featurable` are those of the accounts that let themselves be recommended by it. Pure.
 * @throws RookeryError `invalid`
 */
export function decideCreate(
  state: Collection,
  command: { id: string; origin: string; details: CollectionDetails; items: readonly NewItem[] },
  { by, now }: Act,
  facts: { featurable: ReadonlySet<string> },
): CollectionEvent[] {
  if (state) throw conflict();
  if (command.items.length > MAX_ITEMS) throw tooMany();
  if (command.items.some(({ account_id }) => !facts.featurable.has(account_id))) throw notFeaturable();
  const { id, origin, details } = command;
  const created: CollectionEvent = {
    type: 'CollectionCreated',
    data: {
      id,
      account_id: by,
      uri: `${origin}/ap/${by}/collections/${id}`,
      url: `${origin}/collections/${id}`,
      created_at: now,
      ...details,
    },
  };
  const items = command.items.map((item): CollectionEvent => ({
    type: 'CollectionItemAdded',
    data: { ...item, collection_id: id, owner_id: by, created_at: now },
  }));
  return [created, ...items];
}

/** @throws RookeryError `invalid` where somebody would have too many */
export function checkCollectionLimit(collections: number): void {
  if (collections > MAX_COLLECTIONS) {
    throw invalid(`Validation failed: You have too many collections (maximum is ${MAX_COLLECTIONS})`);
  }
}

/** What those in a collection are told has changed: https://docs.joinmastodon.org/entities/Notification/#type */
const TOLD: readonly string[] = ['name', 'description'];

/**
 * Only what is different; nothing when nothing is. `updateId` is for what those in it are told. Pure.
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
  const { id } = ownedBy(state, by);
  return [{ type: 'CollectionDeleted', data: { id, account_id: by } }];
}

/** Pure. @throws RookeryError `not_found`, `forbidden`, or `invalid` for an account that cannot be added */
export function decideAdd(
  state: Collection,
  item: NewItem,
  { by, now }: Act,
  facts: { featurable: ReadonlySet<string> },
): CollectionEvent[] {
  const { id, items, revoked } = ownedBy(state, by);
  if (!facts.featurable.has(item.account_id) || revoked.has(item.account_id)) throw notFeaturable();
  if ([...items.values()].includes(item.account_id)) {
    throw invalid('Validation failed: Account has already been taken');
  }
  if (items.size >= MAX_ITEMS) throw tooMany();
  return [
    {
      type: 'CollectionItemAdded',
      data: { ...item, collection_id: id, owner_id: by, created_at: now },
    },
  ];
}

/** Pure. @throws RookeryError `not_found`, `forbidden` */
export function decideRemove(state: Collection, itemId: string, { by }: Pick<Act, 'by'>): CollectionEvent[] {
  const owned = ownedBy(state, by);
  return [{ type: 'CollectionItemRemoved', data: itemOf(owned, itemId) }];
}

/** Pure. @throws RookeryError `not_found`; `forbidden` for an item that is somebody else */
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

function itemOf({ id: collection_id, account_id: owner_id, items }: ExistingCollection, id: string) {
  const account_id = items.get(id);
  if (account_id === undefined) throw notFound();
  return { id, collection_id, owner_id, account_id };
}

function without(items: ReadonlyMap<string, string>, id: string): Map<string, string> {
  const rest = new Map(items);
  rest.delete(id);
  return rest;
}

const tooMany = (): RookeryError =>
  invalid(`Validation failed: Collection items are too many (maximum is ${MAX_ITEMS})`);
const notFeaturable = (): RookeryError => invalid('This account cannot be added to collections');
