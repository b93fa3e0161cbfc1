import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { id, language, time, url } from './common.ts';

/** One collection of recommended accounts. */
export const collectionStream = (collectionId: string): string => `collection-${collectionId}`;

const details = z.object({
  name: z.string().max(256),
  /** HTML of a collection of another server. */
  description: z.string().max(20_000),
  language: language.nullable(),
  sensitive: z.boolean(),
  /** False: the profile does not list it, and only its address leads to it. */
  discoverable: z.boolean(),
  /** As written; `normal` is what hashtags are compared by. */
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
 * Only what changed. `update_id` is the id of what those in the collection are told; null when what changed is neither name nor
 * description, and they are told nothing.
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
    /** Its URI and the accounts that were in it: those who are told. Versions before did not keep them. */
    uri: url.optional(),
    member_ids: z.array(id).max(200).optional(),
  }),
  samples: { 1: sampleOfOwner },
});

/** `account_id` is the account that is recommended, `owner_id` who recommends it. */
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
    /** Accepted, unless the account has yet to agree. */
    state: z.literal('pending').optional(),
    /** The URI of the item on the server of the collection, where that is another one. */
    uri: url.optional(),
    /** The URI by which the account is said to agree; nothing is checked yet. */
    authorization: url.optional(),
  }),
  samples: { 1: { ...sampleItem, created_at: '2026-11-21T08:00:00.000Z' } },
});

/** By the owner of the collection. */
export const CollectionItemRemoved = defineEvent({
  type: 'CollectionItemRemoved',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** By the account itself, which cannot be put there again. */
export const CollectionItemRevoked = defineEvent({
  type: 'CollectionItemRevoked',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** An authorization is named that lets the account be in the collection. It is not checked yet. */
export const CollectionItemProposed = defineEvent({
  type: 'CollectionItemProposed',
  version: 1,
  schema: item.extend({ authorization: url }),
  samples: { 1: { ...sampleItem, authorization: 'https://far.example/ap/users/1/feature_authorizations/2' } },
});

/** An account of another server agreed. */
export const CollectionItemAccepted = defineEvent({
  type: 'CollectionItemAccepted',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** An account of another server does not agree. */
export const CollectionItemRejected = defineEvent({
  type: 'CollectionItemRejected',
  version: 1,
  schema: item,
  samples: { 1: sampleItem },
});

/** The server of the collection says what it calls an item that is here already. */
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
