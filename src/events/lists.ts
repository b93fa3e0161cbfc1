import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** One list of one user, with its members. */
export const listStream = (listId: string): string => `list-${listId}`;

/** In UTF-16 units, so that 256 characters always fit. */
const MAX_LIST_TITLE_UNITS = 512;

/**
 * The replies that the list's timeline shows: to all accounts that the owner follows, to members, or none.
 */
export const repliesPolicy = z.enum(['followed', 'list', 'none']);
export type RepliesPolicy = z.infer<typeof repliesPolicy>;

const settings = {
  title: z.string().max(MAX_LIST_TITLE_UNITS),
  replies_policy: repliesPolicy,
  /** The home timeline omits the posts of members. */
  exclusive: z.boolean(),
};
/** `account_id` is the owner. */
const owned = { list_id: id, account_id: id };
const sampleOwned = { list_id: '115500000000000001', account_id: '109500000000000000' };

export const ListCreated = defineEvent({
  type: 'ListCreated',
  version: 1,
  schema: z.object({ ...owned, ...settings }),
  personal: { subject: (data) => data.account_id, erased: { title: '' } },
  samples: { 1: { ...sampleOwned, title: 'Friends', replies_policy: 'list', exclusive: false } },
});

/** Only what changed. */
export const ListUpdated = defineEvent({
  type: 'ListUpdated',
  version: 1,
  schema: z.object({ ...owned, ...z.object(settings).partial().shape }),
  personal: { subject: (data) => data.account_id, erased: { title: '' } },
  samples: { 1: { ...sampleOwned, title: 'Good friends', exclusive: true } },
});

/**
 * `follow_id` is the follow that the membership depends on: the membership ends with it, and another follow
 * does not restore it. An existing member depends on this follow from now on.
 */
export const ListAccountsAdded = defineEvent({
  type: 'ListAccountsAdded',
  version: 1,
  schema: z.object({ ...owned, members: z.array(z.object({ account_id: id, follow_id: id })).max(1_000) }),
  samples: {
    1: { ...sampleOwned, members: [{ account_id: '109500000000000002', follow_id: '115500000000000003' }] },
  },
});

export const ListAccountsRemoved = defineEvent({
  type: 'ListAccountsRemoved',
  version: 1,
  schema: z.object({ ...owned, account_ids: z.array(id).max(1_000) }),
  samples: { 1: { ...sampleOwned, account_ids: ['109500000000000002'] } },
});

export const ListDeleted = defineEvent({
  type: 'ListDeleted',
  version: 1,
  schema: z.object(owned),
  samples: { 1: sampleOwned },
});

export const listEvents = [ListCreated, ListUpdated, ListAccountsAdded, ListAccountsRemoved, ListDeleted];

export type ListEvent = EventOf<(typeof listEvents)[number]>;
