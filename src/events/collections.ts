import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { id, language, time, url } from './common.ts';

/** One collection of accounts that somebody recommends. */
export const collectionStream = (collectionId: string): string => `collection-${collectionId}`;

const details = z.object({
  name: z.string().max(256),
  description: z.string().max(2_048),
  language: language.nullable(),
  sensitive: z.boolean(),
  /** False: not on the profile, only for whoever knows its address. */
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
  schema: details.extend({ ...ofOwner, uri: url, url, created_at: time }),
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

/** Only what changed. */
export const CollectionUpdated = defineEvent({
  type: 'CollectionUpdated',
  version: 1,
  schema: details.partial().extend({ ...ofOwner, updated_at: time }),
  personal: { subject: (data) => data.account_id, erased: { name: '', description: '', tag: null } },
  samples: { 1: { ...sampleOfOwner, updated_at: '2026-11-21T09:00:00.000Z', name: 'Birds', tag: null } },
});

export const CollectionDeleted = defineEvent({
  type: 'CollectionDeleted',
  version: 1,
  schema: z.object(ofOwner),
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
  schema: item.extend({ created_at: time }),
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

export const collectionEvents = [
  CollectionCreated,
  CollectionUpdated,
  CollectionDeleted,
  CollectionItemAdded,
  CollectionItemRemoved,
  CollectionItemRevoked,
];

export type CollectionEvent = EventOf<(typeof collectionEvents)[number]>;
