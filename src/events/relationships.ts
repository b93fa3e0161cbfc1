import { z } from 'zod';
import { defineEvent, type EventOf, type JsonObject } from '#kernel/event.ts';
import { id, language, time, url } from './common.ts';

/** Both directions of one pair of accounts, so that rules between them are one decision. */
export const relationshipStream = (one: string, other: string): string =>
  BigInt(one) < BigInt(other) ? `relationship-${one}-${other}` : `relationship-${other}-${one}`;

/** `account_id` follows, blocks or mutes, whichever of the two acted; the metadata names the actor. */
const pair = { account_id: id, target_account_id: id };
const settings = {
  /** Show the target's reblogs in the home timeline. */
  reblogs: z.boolean(),
  /** Notify the follower of the target's posts. */
  notify: z.boolean(),
  /** Only posts in these languages; null for all. */
  languages: z.array(language).max(200).nullable(),
};
/** The URI of the follow on the follower's server, which replies must name. Absent for a local follower. */
const named = { uri: url.optional() };
/** Members that version 2 introduced may be absent. */
const upcasts = { 1: (data: JsonObject): JsonObject => data };
const samplePair = { account_id: '109500000000000000', target_account_id: '109500000000000002' };
const sampleSettings = { reblogs: true, notify: false, languages: null };
/** The URI of the ended follow, for other servers. Absent in version 1. */
const ended = { id: id.optional() };
const sampleEnded = { id: '115500000000000003', ...samplePair };
const sampleName = { uri: 'https://far.example/follows/1' };

/** `id` is the follow's own: lists of followers are paged by it. */
export const AccountFollowed = defineEvent({
  type: 'AccountFollowed',
  version: 2,
  schema: z.object({ id, ...pair, ...settings, ...named }),
  upcasts,
  samples: {
    1: { id: '115500000000000003', ...samplePair, ...sampleSettings },
    2: { id: '115500000000000003', ...samplePair, ...sampleSettings, ...sampleName },
  },
});

/**
 * All three settings of a follow or a follow request after the change. With a URI: the other server repeated
 * the request under that URI.
 */
export const FollowSettingsChanged = defineEvent({
  type: 'FollowSettingsChanged',
  version: 2,
  schema: z.object({ ...pair, ...settings, ...named }),
  upcasts,
  samples: {
    1: { ...samplePair, ...sampleSettings, reblogs: false },
    2: { ...samplePair, ...sampleSettings, ...sampleName },
  },
});

export const AccountUnfollowed = defineEvent({
  type: 'AccountUnfollowed',
  version: 2,
  schema: z.object({ ...pair, ...ended }),
  upcasts,
  samples: { 1: samplePair, 2: sampleEnded },
});

/** The target is locked; `id` becomes the follow's when the target agrees. */
export const FollowRequested = defineEvent({
  type: 'FollowRequested',
  version: 2,
  schema: z.object({ id, ...pair, ...settings, ...named }),
  upcasts,
  samples: {
    1: { id: '115500000000000003', ...samplePair, ...sampleSettings },
    2: { id: '115500000000000003', ...samplePair, ...sampleSettings, ...sampleName },
  },
});

/** The follower withdrew the request. */
export const FollowRequestWithdrawn = defineEvent({
  type: 'FollowRequestWithdrawn',
  version: 2,
  schema: z.object({ ...pair, ...ended }),
  upcasts,
  samples: { 1: samplePair, 2: sampleEnded },
});

/** The target agreed: the request becomes a follow, with its id and settings. */
export const FollowRequestAuthorized = defineEvent({
  type: 'FollowRequestAuthorized',
  version: 1,
  schema: z.object({ id, ...pair, ...settings }),
  samples: { 1: { id: '115500000000000003', ...samplePair, ...sampleSettings } },
});

/** The target declined. `account_id` is the account that had asked. */
export const FollowRequestRejected = defineEvent({
  type: 'FollowRequestRejected',
  version: 1,
  schema: z.object(pair),
  samples: { 1: samplePair },
});

/**
 * `id` is the block's own; the list of blocks is paged by it. Earlier events end follows and requests between
 * the two.
 */
export const AccountBlocked = defineEvent({
  type: 'AccountBlocked',
  version: 2,
  schema: z.object({ id, ...pair, ...named }),
  upcasts: { 1: (data) => data },
  samples: {
    1: { id: '115500000000000004', ...samplePair },
    2: { id: '115500000000000004', ...samplePair, uri: 'https://far.example/blocks/1' },
  },
});

export const AccountUnblocked = defineEvent({
  type: 'AccountUnblocked',
  version: 2,
  schema: z.object({ ...pair, ...ended }),
  upcasts,
  samples: { 1: samplePair, 2: sampleEnded },
});

/** A mute, or the new settings of one, which keeps its id. */
export const AccountMuted = defineEvent({
  type: 'AccountMuted',
  version: 1,
  schema: z.object({
    id,
    ...pair,
    /** Notifications are muted too. */
    notifications: z.boolean(),
    /** The end of the mute, without another event; null for never. */
    expires_at: time.nullable(),
  }),
  samples: { 1: { id: '115500000000000005', ...samplePair, notifications: true, expires_at: null } },
});

export const AccountUnmuted = defineEvent({
  type: 'AccountUnmuted',
  version: 1,
  schema: z.object(pair),
  samples: { 1: samplePair },
});

/** A private note of one account about another; the empty text removes it. */
export const AccountNoteSet = defineEvent({
  type: 'AccountNoteSet',
  version: 1,
  schema: z.object({ ...pair, comment: z.string().max(2_000) }),
  personal: { subject: (data) => data.account_id, erased: { comment: '' } },
  samples: { 1: { ...samplePair, comment: 'Met at the harbour' } },
});

/** Shown on the profile of `account_id`. An event of its own ends it with the follow. */
export const AccountEndorsed = defineEvent({
  type: 'AccountEndorsed',
  version: 1,
  schema: z.object({ id, ...pair }),
  samples: { 1: { id: '115500000000000006', ...samplePair } },
});

export const AccountUnendorsed = defineEvent({
  type: 'AccountUnendorsed',
  version: 1,
  schema: z.object(pair),
  samples: { 1: samplePair },
});

export const relationshipEvents = [
  AccountFollowed,
  FollowSettingsChanged,
  AccountUnfollowed,
  FollowRequested,
  FollowRequestWithdrawn,
  FollowRequestAuthorized,
  FollowRequestRejected,
  AccountBlocked,
  AccountUnblocked,
  AccountMuted,
  AccountUnmuted,
  AccountNoteSet,
  AccountEndorsed,
  AccountUnendorsed,
];

export type RelationshipEvent = EventOf<(typeof relationshipEvents)[number]>;
