import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { visibility } from './accounts.ts';
import { id, time, url } from './common.ts';
import {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
} from './interaction-requests.ts';

export {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
} from './interaction-requests.ts';

/** The interactions of one account with one post. The stream's name makes each of them unique. */
export const interactionStream = (accountId: string, statusId: string): string =>
  `interaction-${accountId}-${statusId}`;

/** `account_id` acts on the post `status_id` of `status_account_id`. */
const pair = { account_id: id, status_id: id, status_account_id: id };
const samplePair = {
  account_id: '109500000000000002',
  status_id: '115500000000000000',
  status_account_id: '109500000000000000',
};
/** `id` is the favourite's own: lists of favourites are paged by it. */
const withId = { id, ...pair };
const sampleWithId = { id: '115500000000000020', ...samplePair };

/** The remote authorization of an earlier request; absent when no approval was needed. */
const authorization = url.optional();
const sampleAuthorization = { authorization: 'https://far.example/authorizations/1' };

export const StatusFavourited = defineEvent({
  type: 'StatusFavourited',
  version: 3,
  schema: z.object({
    ...withId,
    /** Its URI on another server. */
    uri: url.optional(),
    authorization,
  }),
  upcasts: { 1: (data) => data, 2: (data) => data },
  samples: {
    1: sampleWithId,
    2: { ...sampleWithId, uri: 'https://far.example/likes/1' },
    3: { ...sampleWithId, ...sampleAuthorization },
  },
});

export const StatusUnfavourited = defineEvent({
  type: 'StatusUnfavourited',
  version: 2,
  schema: z.object({
    ...pair,
    /** The id of the favourite, so that other servers learn which one ended. */
    id: id.optional(),
  }),
  upcasts: { 1: (data) => data },
  samples: { 1: samplePair, 2: sampleWithId },
});

export const StatusBookmarked = defineEvent({
  type: 'StatusBookmarked',
  version: 1,
  schema: z.object(withId),
  samples: { 1: sampleWithId },
});

export const StatusUnbookmarked = defineEvent({
  type: 'StatusUnbookmarked',
  version: 1,
  schema: z.object(pair),
  samples: { 1: samplePair },
});

const sampleReblog = {
  ...sampleWithId,
  visibility: 'public',
  created_at: '2026-11-21T08:10:00.000Z',
  local: true,
  uri: 'https://rookery.example/users/bob/statuses/115500000000000020/activity',
};

/** `id` is the id of the reblog, which is a post of its own in timelines. */
export const StatusReblogged = defineEvent({
  type: 'StatusReblogged',
  version: 2,
  schema: z.object({ ...withId, visibility, created_at: time, local: z.boolean(), uri: url, authorization }),
  upcasts: { 1: (data) => data },
  samples: { 1: sampleReblog, 2: { ...sampleReblog, ...sampleAuthorization } },
});

/** `id` is that of the removed reblog. */
export const StatusUnreblogged = defineEvent({
  type: 'StatusUnreblogged',
  version: 1,
  schema: z.object({ ...withId, visibility }),
  samples: { 1: { ...sampleWithId, visibility: 'public' } },
});

/** A mute applies to the whole thread: the stream belongs to the account and the thread. */
const thread = { account_id: id, conversation_id: id };
const sampleThread = { account_id: '109500000000000002', conversation_id: '115500000000000000' };

export const ThreadMuted = defineEvent({
  type: 'ThreadMuted',
  version: 1,
  schema: z.object(thread),
  samples: { 1: sampleThread },
});

export const ThreadUnmuted = defineEvent({
  type: 'ThreadUnmuted',
  version: 1,
  schema: z.object(thread),
  samples: { 1: sampleThread },
});

export const interactionEvents = [
  StatusFavourited,
  StatusUnfavourited,
  StatusBookmarked,
  StatusUnbookmarked,
  StatusReblogged,
  StatusUnreblogged,
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
  ThreadMuted,
  ThreadUnmuted,
];
export type InteractionEvent = EventOf<(typeof interactionEvents)[number]>;
