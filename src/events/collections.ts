import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, language, time, url } from './common.ts';

/** One collection of recommended accounts. */
export const collectionStream = (collectionId: string): string => `collection-${collectionId}`;

const details = z.object({
  name: z.string().max(256),
  /** HTML of a collection of another server. */
  description: z.string().max(20_000),
  language: language.nullable(),
  sensitive: z.boolean(),
  /** False when the profile does not list it, so that only its address leads to it. */
  discoverable: z.boolean(),
  /** As written; hashtags are compared by `normal`. */
  tag: z.object({ name: z.string().max(500), normal: z.string().max(500) }).nullable(),
});
export type CollectionDetails = z.infer<typeof details>;

const ofOwner = { id, account_id: id };
const sampleOfOwner = { id: '115500000000000000', account_id: '109500000000000000' };

export const CollectionCreated = defineEvent({
  type: 'CollectionCreated',
  version: 1,
  schema: details.extend({
    ...ofOwner,
    uri: url,
    url,
    created_at: time,
    /** False for a collection of another server, whose description is HTML. */
    local: z.boolean().optional(),
  }),
  personal: { subject: (data) => data.account_id, erased: { name: '', description: '', tag: null } },
  samples: {
    1: {
      ...sampleOfOwner,
      uri: 'https://rookery.example/ap/109500000000000000/collections/115500000000000000',
      url: 'https://rookery.example/collections/115500000000000000',
      created_at: '2026-11-21T08:00:00.000Z',
      name: 'Bird people',
      description: 'They know their birds',
      language: 'en',
      sensitive: false,
      discoverable: true,
      tag: { name: 'Birds', normal: 'birds' },
    },
  },
});

/**
 * Only the changed members. `update_id` is the id of the notification to the accounts in the collection; null
 * when neither name nor description changed, which notifies no account.
 */
export const CollectionUpdated = defineEvent({
  type: 'CollectionUpdated',
  version: 2,
  schema: details.partial().extend({ ...ofOwner, update_id: id.nullable(), updated_at: time }),
  personal: { subject: (data) => data.account_id, erased: { name: '', description: '', tag: null } },
  upcasts: { 1: (data) => ({ ...data, update_id: null }) },
  samples: {
    1: { ...sampleOfOwner, updated_at: '2026-11-21T09:00:00.000Z', name: 'Birds', tag: null },
    2: {
      ...sampleOfOwner,
      update_id: '115500000000000040',
      updated_at: '2026-11-21T09:00:00.000Z',
      name: 'Birds',
      tag: null,
    },
  },
});

export const CollectionDeleted = defineEvent({
  type: 'CollectionDeleted',
  version: 1,
  schema: z.object({
    ...ofOwner,
    /** Its URI and the accounts in it, which are notified. Earlier versions did not store them. */
    uri: url.optional(),
    member_ids: z.array(id).max(200).optional(),
  }),
  samples: { 1: sampleOfOwner },
});

/** `account_id` is the recommended account, `owner_id` the recommending one. */
const item = z.object({ id, collection_id: id, owner_id: id, account_id: id });
const sampleItem = {
  id: '115500000000000001',
  collection_id: '115500000000000000',
  owner_id: '109500000000000000',
  account_id: '109500000000000001',
};

export const CollectionItemAdded = defineEvent({
  type: 'CollectionItemAdded',
  version: 1,
  schema: item.extend({
    created_at: time,
    /** Accepted, unless the account has not agreed yet. */
    state: z.literal('pending').optional(),
    /** The URI of the item on the server of a remote collection. */
    uri: url.optional(),
    /** The URI of the claimed consent of the account; not verified yet. */
    authorization: url.optional(),
  }),
  samples: { 1: { ...sampleItem, created_at: '2026-11-21T08:00:00.000Z' } },
});

/** The owner of the collection removed it. */
export const CollectionItemRemoved = defineEvent({
  type: 'CollectionItemRemoved',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** The account itself removed it, and cannot be added again. */
export const CollectionItemRevoked = defineEvent({
  type: 'CollectionItemRevoked',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** The event names an authorization for the item. It is not verified yet. */
export const CollectionItemProposed = defineEvent({
  type: 'CollectionItemProposed',
  version: 1,
  schema: item.extend({ authorization: url }),
  samples: { 1: { ...sampleItem, authorization: 'https://far.example/ap/users/1/feature_authorizations/2' } },
});

/** A remote account agreed. */
export const CollectionItemAccepted = defineEvent({
  type: 'CollectionItemAccepted',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** A remote account refused. */
export const CollectionItemRejected = defineEvent({
  type: 'CollectionItemRejected',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** The server of the collection gave the URI of an item that exists here already. */
export const CollectionItemNamed = defineEvent({
  type: 'CollectionItemNamed',
  version: 1,
  schema: item.extend({ uri: url }),
  samples: { 1: { ...sampleItem, uri: 'https://far.example/ap/users/1/collection_items/2' } },
});

export const collectionEvents = [
  CollectionItemProposed,
  CollectionItemAccepted,
  CollectionItemRejected,
  CollectionItemNamed,
  CollectionCreated,
  CollectionUpdated,
  CollectionDeleted,
  CollectionItemAdded,
  CollectionItemRemoved,
  CollectionItemRevoked,
];

export type CollectionEvent = EventOf<(typeof collectionEvents)[number]>;
