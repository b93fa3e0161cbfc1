import type {
  CollectionCreated,
  CollectionDeleted,
  CollectionItemAdded,
  CollectionItemRevoked,
  CollectionUpdated,
} from '#events/collections.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { RecordedOf } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import {
  collectionItem,
  type LocalCollection,
  localCollection,
  namedAccounts,
  namedCollection,
} from '#queries/federation/index.ts';
import { FEATURE_REQUEST_CONTEXT, FEATURED_COLLECTION_CONTEXT, PUBLIC } from '../documents/contexts.ts';
import {
  collectionObject,
  featureAuthorizationDocument,
  featureAuthorizationUri,
  featuredCollectionsUri,
  featuredItemUri,
  featureRequestUri,
  itemObject,
} from '../documents/featured-collections.ts';
import type { Activity, Outgoing } from './outgoing.ts';

/*
 * Collections of accounts, for the servers of their owner's followers and of their members.
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md
 */

type Item = RecordedOf<typeof CollectionItemRevoked>['data'];

const told = (
  ownerId: Id,
  collectionId: Id,
  compose: Outgoing['compose'],
  accounts: readonly Id[] = [],
): Outgoing => ({
  sender: ownerId,
  audience: { author: ownerId, followersOf: ownerId, membersOf: collectionId, accounts },
  compose,
});

const activity = (content: Activity): Activity => ({
  '@context': FEATURED_COLLECTION_CONTEXT,
  to: [PUBLIC],
  ...content,
});

type Make = (collection: LocalCollection, ctx: CommandContext) => Activity | undefined;
const ofCollection =
  (id: Id, make: Make): Outgoing['compose'] =>
  async (ctx) => {
    const found = await localCollection(ctx.db, id);
    return found && make(found, ctx);
  };

export const collectionAdded = (
  { id, account_id }: RecordedOf<typeof CollectionCreated>['data'],
  change: string,
): Outgoing[] => [
  told(
    account_id,
    id,
    ofCollection(id, (collection, { instance }) => {
      const { owner_uri: actor } = collection;
      const target = featuredCollectionsUri(account_id, instance);
      const object = collectionObject(collection, instance);
      return activity({ id: `${actor}#collections/${change}`, type: 'Add', actor, object, target });
    }),
  ),
];

export const collectionUpdated = (
  { id, account_id }: RecordedOf<typeof CollectionUpdated>['data'],
  change: string,
): Outgoing[] => [
  told(
    account_id,
    id,
    ofCollection(id, (collection, { instance }) => {
      const { owner_uri: actor, uri } = collection;
      const object = collectionObject(collection, instance);
      return activity({ id: `${uri}#updates/${change}`, type: 'Update', actor, object });
    }),
  ),
];

/** Older versions of the event lack the URI of a collection and its members. */
export const collectionRemoved = (
  { id, account_id, uri, member_ids }: RecordedOf<typeof CollectionDeleted>['data'],
  change: string,
): Outgoing[] => [
  told(
    account_id,
    id,
    async ({ db, instance }) => {
      const owner = (await namedAccounts(db, [account_id])).get(account_id);
      if (owner?.domain !== null) return undefined;
      const { uri: actor } = owner;
      const object = uri ?? `${instance.origin}/ap/${account_id}/collections/${id}`;
      const target = featuredCollectionsUri(account_id, instance);
      return activity({ id: `${actor}#collections/${change}`, type: 'Remove', actor, object, target });
    },
    member_ids,
  ),
];

/**
 * An account was added to a collection, or is asked for its approval. The members of a new collection are
 * sent with it.
 */
export const itemAdded = (
  item: RecordedOf<typeof CollectionItemAdded>['data'],
  change: string,
): Outgoing[] => (item.state === 'pending' ? [featureRequest(item)] : itemAccepted(item, change));

export const itemAccepted = (
  { id, collection_id, owner_id }: Pick<Item, 'id' | 'collection_id' | 'owner_id'>,
  change: string,
): Outgoing[] => [
  told(
    owner_id,
    collection_id,
    ofCollection(collection_id, (collection, { instance }) => {
      const { owner_uri: actor, uri: target } = collection;
      const item = collection.items.find((one) => one.id === id);
      if (!item || item.initial) return undefined;
      const object = itemObject(item, owner_id, instance);
      return activity({ id: `${actor}#collection_items/${change}`, type: 'Add', actor, object, target });
    }),
  ),
];

const featureRequest = ({ id, account_id, owner_id }: Item): Outgoing => ({
  sender: owner_id,
  audience: { accounts: [account_id], personally: true, author: owner_id },
  compose: async (ctx) => {
    const item = await collectionItem(ctx.db, id, account_id);
    if (!item?.local || item.accepted) return undefined;
    const { owner_uri: actor, account_uri: object, collection_uri: instrument } = item;
    return {
      '@context': FEATURE_REQUEST_CONTEXT,
      id: featureRequestUri(actor, id),
      type: 'FeatureRequest',
      actor,
      to: object,
      object,
      instrument,
    };
  },
});

/** The owner of the collection announces that an account left it. */
export const itemRemoved = (
  { id, collection_id, owner_id, account_id }: Item,
  change: string,
): Outgoing[] => [
  told(
    owner_id,
    collection_id,
    async ({ db, instance }) => {
      const collection = await namedCollection(db, collection_id);
      if (collection?.local !== true) return undefined;
      const { owner_uri: actor, uri: target } = collection;
      const object = featuredItemUri(owner_id, id, instance);
      return activity({ id: `${actor}#collection_items/${change}`, type: 'Remove', actor, object, target });
    },
    [account_id],
  ),
];

/** An account removes itself. This ends its authorization for a remote collection. */
export const itemRevoked = (item: Item, change: string): Outgoing[] => [
  ...itemRemoved(item, change),
  {
    sender: item.account_id,
    audience: { accounts: [item.owner_id], author: item.account_id },
    compose: async ({ db, instance }) => {
      const { id, account_id, collection_id } = item;
      const account = (await namedAccounts(db, [account_id])).get(account_id);
      const collection = await namedCollection(db, collection_id);
      if (account?.domain !== null || collection?.local !== false) return undefined;
      const { uri: actor } = account;
      const uri = featureAuthorizationUri(account_id, id, instance);
      const authorization = { collection_uri: collection.uri, account_uri: actor };
      const { '@context': context, ...object } = featureAuthorizationDocument(uri, authorization);
      return { '@context': context, id: `${uri}#delete`, type: 'Delete', actor, to: [PUBLIC], object };
    },
  },
];
