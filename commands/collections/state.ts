import type { CollectionDetails, CollectionEvent } from '#events/collections.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';

/** Null before its creation and after its deletion. */
export type Collection = ExistingCollection | null;
export interface ExistingCollection {
  id: string;
  account_id: string;
  local: boolean;
  uri: string;
  details: CollectionDetails;
  /** By id. */
  items: ReadonlyMap<string, Item>;
  /** Accounts that removed themselves. */
  revoked: ReadonlySet<string>;
}

export interface Item {
  account_id: string;
  state: 'pending' | 'accepted';
  /** Its URI on another server. */
  uri: string | null;
  /** The URI of the consent of a remote account, verified or claimed. */
  authorization: string | null;
}

export const collection: Decider<Collection, CollectionEvent> = {
  initialState: null,
  evolve(state, event) {
    if (event.type === 'CollectionCreated') {
      const { id, account_id, local = true, uri, url: _url, created_at: _at, ...details } = event.data;
      return { id, account_id, local, uri, details, items: new Map(), revoked: new Set() };
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
      case 'CollectionItemAdded': {
        const {
          id,
          account_id,
          state: itemState = 'accepted',
          uri = null,
          authorization = null,
        } = event.data;
        const item: Item = { account_id, state: itemState, uri, authorization };
        return { ...state, items: new Map(state.items).set(id, item) };
      }
      case 'CollectionItemProposed':
        return withItem(state, event.data.id, { authorization: event.data.authorization });
      case 'CollectionItemAccepted':
        return withItem(state, event.data.id, { state: 'accepted' });
      case 'CollectionItemNamed':
        return withItem(state, event.data.id, { uri: event.data.uri });
      case 'CollectionItemRejected':
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

/** Returns an item in the form of events. @throws RookeryError `not_found` */
export function itemOf({ id: collection_id, account_id: owner_id, items }: ExistingCollection, id: string) {
  const item = items.get(id);
  if (item === undefined) throw notFound();
  return { id, collection_id, owner_id, account_id: item.account_id };
}

function withItem(state: ExistingCollection, id: string, changes: Partial<Item>): ExistingCollection {
  const item = state.items.get(id);
  return item ? { ...state, items: new Map(state.items).set(id, { ...item, ...changes }) } : state;
}

function without(items: ReadonlyMap<string, Item>, id: string): Map<string, Item> {
  const rest = new Map(items);
  rest.delete(id);
  return rest;
}
