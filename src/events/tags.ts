import { z } from 'zod';
import { defineEvent, type EventOf, type JsonObject } from '#kernel/event.ts';
import { MAX_TAG_LENGTH } from '#mastodon/normalize-tag.ts';
import { id } from './common.ts';

/** The hashtags that an account follows. */
export const tagFollowsStream = (accountId: string): string => `tag-follows-${accountId}`;
/** The hashtags on an account's profile. */
export const featuredTagsStream = (accountId: string): string => `featured-tags-${accountId}`;

/** `tag` is the normal form (`normalizeTag`), `name` what was typed. */
const tag = z.string().max(MAX_TAG_LENGTH);
const name = z.string().max(MAX_TAG_LENGTH);
const sample = { account_id: '109500000000000000', tag: 'blahaj' };
/** Version 2 encrypts the hashtag. Read models leave out hashtags without a name, which are erased ones. */
const encrypted = { version: 2, upcasts: { 1: (data: JsonObject) => data } };
const subject = (data: { account_id: string }): string => data.account_id;

/** `id` is the follow's own: the list is paged by it. */
export const TagFollowed = defineEvent({
  type: 'TagFollowed',
  ...encrypted,
  schema: z.object({ id, account_id: id, tag, name }),
  personal: { subject, erased: { tag: '', name: '' } },
  samples: {
    1: { id: '115500000000000010', ...sample, name: 'Blåhaj' },
    2: { id: '115500000000000010', ...sample, name: 'Blåhaj' },
  },
});

export const TagUnfollowed = defineEvent({
  type: 'TagUnfollowed',
  ...encrypted,
  schema: z.object({ account_id: id, tag }),
  personal: { subject, erased: { tag: '' } },
  samples: { 1: sample, 2: sample },
});

/** `id` is that of the featured tag, which is not the tag's. */
export const TagFeatured = defineEvent({
  type: 'TagFeatured',
  ...encrypted,
  schema: z.object({ id, account_id: id, tag, name }),
  personal: { subject, erased: { tag: '', name: '' } },
  samples: {
    1: { id: '115500000000000011', ...sample, name: 'Blåhaj' },
    2: { id: '115500000000000011', ...sample, name: 'Blåhaj' },
  },
});

export const TagUnfeatured = defineEvent({
  type: 'TagUnfeatured',
  ...encrypted,
  schema: z.object({ id, account_id: id, tag }),
  personal: { subject, erased: { tag: '' } },
  samples: { 1: { id: '115500000000000011', ...sample }, 2: { id: '115500000000000011', ...sample } },
});

/** Tells whether the hashtag of an event can be read: that of an erased account has no name. */
export const isNamed = ({ data }: { data: { tag: string } }): boolean => data.tag !== '';

export const tagEvents = [TagFollowed, TagUnfollowed, TagFeatured, TagUnfeatured];

export type TagFollowEvent = EventOf<typeof TagFollowed> | EventOf<typeof TagUnfollowed>;
export type FeaturedTagEvent = EventOf<typeof TagFeatured> | EventOf<typeof TagUnfeatured>;

/** The decisions of staff about one hashtag. */
export const tagStream = (tag: string): string => `tag-${tag}`;

/** Staff was asked about a hashtag that began to trend. `TrendReviewsRequested` replaces it. */
export const TagReviewRequested = defineEvent({
  type: 'TagReviewRequested',
  version: 2,
  /** `among` names all hashtags in the same request to staff, so that one mail is enough. */
  schema: z.object({ tag, name, among: z.array(name).max(100) }),
  upcasts: { 1: (data) => ({ ...data, among: [data['name'] ?? ''] }) },
  samples: {
    1: { tag: 'blahaj', name: 'Blåhaj' },
    2: { tag: 'blahaj', name: 'Blåhaj', among: ['Blåhaj', 'Shark'] },
  },
});

/** Whether it may trend. */
export const TagReviewed = defineEvent({
  type: 'TagReviewed',
  version: 1,
  schema: z.object({ tag, trendable: z.boolean() }),
  samples: { 1: { tag: 'blahaj', trendable: true } },
});

/** Its spelling from now on, in place of that of its first use. */
export const TagSpelled = defineEvent({
  type: 'TagSpelled',
  version: 1,
  schema: z.object({ tag, name }),
  samples: { 1: { tag: 'blahaj', name: 'BlåHaj' } },
});

export const tagReviewEvents = [TagReviewRequested, TagReviewed, TagSpelled];
export type TagReviewEvent = EventOf<(typeof tagReviewEvents)[number]>;
