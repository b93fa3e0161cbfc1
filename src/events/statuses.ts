import { z } from 'zod';
import { defineEvent, type EventOf, type RecordedOf } from '#kernel/event.ts';
import { timeOfId } from '#kernel/ids.ts';
import { mediaMeta, mediaType } from '#mastodon/media-limits.ts';
import { visibility } from './accounts.ts';
import { id, time, url } from './common.ts';
import { interactionPolicy, InteractionPolicyChanged, samplePolicy } from './interaction-policies.ts';
import { previewCard } from './preview-card.ts';
import { quoteEvents } from './quotes.ts';
import { ReplyLinked } from './reply-links.ts';
import { ReplyRequested, ReplyRequestEnded } from './reply-requests.ts';
import { MentionsResolved } from './resolved-mentions.ts';
import { quotePolicy, statusData } from './status-content.ts';
import { firstVersion, personal, sample } from './status-samples.ts';

export {
  MAX_UNRESOLVED_MENTIONS,
  quotePolicy,
  type PollQuestion,
  type QuotePolicy,
} from './status-content.ts';
export {
  InteractionPolicyChanged,
  type InteractionKind,
  type InteractionPolicy,
  type InteractionRules,
} from './interaction-policies.ts';
export { ReplyLinked } from './reply-links.ts';
export { MentionsResolved } from './resolved-mentions.ts';
export { ReplyRequested, ReplyRequestEnded } from './reply-requests.ts';
export type { StatusContent, StatusData } from './status-content.ts';

/** One post: created, edited, pinned, its poll closed, deleted. */
export const statusStream = (statusId: string): string => `status-${statusId}`;

const withEmojis = {
  local: false,
  text: null,
  content: '<p>Hello :rook:</p>',
  emojis: [{ shortcode: 'rook', url: 'https://far.example/emojis/rook.png' }],
};

const withUnresolved = { unresolved_mentions: ['https://wide.example/users/holly'] };

export const StatusCreated = defineEvent({
  type: 'StatusCreated',
  version: 9,
  schema: statusData.extend({
    /** The last edit of a remote post before it arrived. */
    edited_at: time.optional(),
    /**
     * The URI of an unknown remote post that it replies to; `ReplyLinked` follows once that post is known.
     */
    in_reply_to_uri: url.optional(),
    /** This server fetched the post; its author did not send it. */
    fetched: z.literal(true).optional(),
    /** The policy of a remote post; absent when it approves everyone. */
    interaction_policy: interactionPolicy.optional(),
    /**
     * The authorization by which another server allows this reply. For a local user, a `ReplyRequested`
     * precedes it.
     */
    reply_authorization: url.optional(),
    /** The URI of the account that gave the authorization of a remote reply. */
    reply_authorized_by: url.optional(),
  }),
  upcasts: {
    // Version 2 added threads, media, polls and quotes. A thread of version 1 is known by the post that it
    // replies to.
    1: (data) => ({
      ...data,
      conversation_id: data['in_reply_to_id'] ?? data['id'] ?? null,
      media: [],
      poll: null,
      quote: null,
      quote_policy: 'public',
    }),
    // Version 3 added emojis of other servers.
    2: (data) => data,
    3: (data) => data,
    // Version 5 added replies to unknown posts, and how a post arrived.
    4: (data) => data,
    // Version 6 added interaction policies.
    5: (data) => data,
    // Version 7 added authorizations of remote replies.
    6: (data) => data,
    // Version 8 added unresolved mentions.
    7: (data) => data,
    // Version 9 encrypts hashtags.
    8: (data) => data,
  },
  personal,
  samples: {
    1: firstVersion,
    2: sample,
    3: { ...sample, ...withEmojis },
    4: { ...sample, ...withEmojis, edited_at: '2026-11-21T08:05:00.000Z' },
    5: { ...sample, ...withEmojis, in_reply_to_uri: 'https://wide.example/notes/1', fetched: true },
    6: {
      ...sample,
      ...withEmojis,
      reply_authorization: 'https://far.example/authorizations/1',
      interaction_policy: samplePolicy,
    },
    7: {
      ...sample,
      ...withEmojis,
      reply_authorization: 'https://far.example/authorizations/1',
      reply_authorized_by: 'https://far.example/users/carol',
    },
    8: { ...sample, ...withEmojis, ...withUnresolved },
    9: { ...sample, ...withEmojis, ...withUnresolved },
  },
});

const sampleEdit = { edit_id: '115500000000000009', edited_at: '2026-11-21T08:05:00.000Z' };

/** Hours after which a fetched post is no longer announced, as in Mastodon. */
const ANNOUNCED_WITHIN = 6;
const MILLISECONDS = 3_600_000;

/** Tells whether a post was fetched long after it was written, such as the root of an old thread. */
export const isLate = ({ data, metadata }: RecordedOf<typeof StatusCreated>): boolean =>
  data.fetched === true &&
  Date.parse(metadata.time) - Date.parse(data.created_at) > ANNOUNCED_WITHIN * MILLISECONDS;

/** Tells whether a reply was linked long after it was written. */
export const isLinkedLate = ({ data, metadata }: RecordedOf<typeof ReplyLinked>): boolean =>
  Date.parse(metadata.time) - timeOfId(data.id) > ANNOUNCED_WITHIN * MILLISECONDS;

/** The whole post after the edit. A poll with another id asks another question, without the earlier votes. */
export const StatusEdited = defineEvent({
  type: 'StatusEdited',
  version: 5,
  schema: statusData.extend({ edit_id: id, edited_at: time }),
  upcasts: {
    1: (data) => data,
    // Version 3 added public ids of polls.
    2: (data) => data,
    // Version 4 added unresolved mentions.
    3: (data) => data,
    // Version 5 encrypts hashtags.
    4: (data) => data,
  },
  personal,
  samples: {
    1: { ...sample, ...sampleEdit },
    2: { ...sample, ...withEmojis, ...sampleEdit },
    3: {
      ...sample,
      ...withEmojis,
      ...sampleEdit,
      poll: { ...sample.poll, id: '115500000000000010', public_id: '115500000000000001' },
    },
    4: { ...sample, ...withEmojis, ...withUnresolved, ...sampleEdit },
    5: { ...sample, ...withEmojis, ...withUnresolved, ...sampleEdit },
  },
});

/** Soft: clients no longer see it, open reports still do. */
export const StatusDeleted = defineEvent({
  type: 'StatusDeleted',
  version: 1,
  schema: z.object({ id, account_id: id, visibility, in_reply_to_id: id.nullable() }),
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      visibility: 'public',
      in_reply_to_id: null,
    },
  },
});

/** The rows of a deleted remote post are removed; in the stream of the post, after `StatusDeleted`. */
export const RemoteStatusRemoved = defineEvent({
  type: 'RemoteStatusRemoved',
  version: 1,
  schema: z.object({ id, account_id: id }),
  samples: { 1: { id: '115500000000000000', account_id: '109500000000000000' } },
});

const ofAuthor = { id, account_id: id };
const sampleOfAuthor = { id: '115500000000000000', account_id: '109500000000000000' };

/** Shown on the author's profile, by `pin_id`, the newest first. */
export const StatusPinned = defineEvent({
  type: 'StatusPinned',
  version: 1,
  schema: z.object({ ...ofAuthor, pin_id: id }),
  samples: { 1: { ...sampleOfAuthor, pin_id: '115500000000000010' } },
});

export const StatusUnpinned = defineEvent({
  type: 'StatusUnpinned',
  version: 1,
  schema: z.object(ofAuthor),
  samples: { 1: sampleOfAuthor },
});

/** The end of a poll, only once. `close_id` is the id of the resulting notifications. */
export const PollClosed = defineEvent({
  type: 'PollClosed',
  version: 1,
  schema: z.object({ ...ofAuthor, poll_id: id, close_id: id, closed_at: time }),
  samples: {
    1: {
      ...sampleOfAuthor,
      poll_id: '115500000000000001',
      close_id: '115500000000000011',
      closed_at: '2026-11-22T08:00:00.000Z',
    },
  },
});

/** The result of a remote poll according to its server: votes by option, including those from this server. */
export const PollTallied = defineEvent({
  type: 'PollTallied',
  version: 1,
  schema: z.object({
    ...ofAuthor,
    poll_id: id,
    votes: z.array(z.number().int().min(0).max(1_000_000_000)).max(500),
    voters: z.number().int().min(0).max(1_000_000_000),
  }),
  samples: { 1: { ...sampleOfAuthor, poll_id: '115500000000000001', votes: [3, 4], voters: 7 } },
});

/** The accounts that may quote this post from now on. */
export const QuotePolicyChanged = defineEvent({
  type: 'QuotePolicyChanged',
  version: 1,
  schema: z.object({ ...ofAuthor, quote_policy: quotePolicy }),
  samples: { 1: { ...sampleOfAuthor, quote_policy: 'nobody' } },
});

/** The card of the post's link; null removes it. */
export const PreviewCardAttached = defineEvent({
  type: 'PreviewCardAttached',
  version: 1,
  schema: z.object({ ...ofAuthor, card: previewCard.nullable() }),
  personal: { subject: ({ account_id }) => account_id, erased: { card: null } },
  samples: {
    1: {
      ...sampleOfAuthor,
      card: {
        url: 'https://news.example/rooks',
        type: 'link',
        title: 'Rooks return',
        description: 'They are back on the chimneys.',
        language: 'en',
        author_name: 'A. Reporter',
        author_url: 'https://news.example/authors/a',
        provider_name: 'News',
        provider_url: '',
        html: '',
        width: 640,
        height: 360,
        embed_url: '',
        image: `ab/cd/abcd${'0'.repeat(60)}.jpg`,
        image_description: 'A rook',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        published_at: '2026-11-20T08:00:00.000Z',
      },
    },
  },
});

/** Staff removed the post, or one that its author had already deleted. Its media are sealed, then removed. */
export const StatusRemoved = defineEvent({
  type: 'StatusRemoved',
  version: 1,
  schema: z.object({ ...ofAuthor, strike_id: id }),
  samples: { 1: { ...sampleOfAuthor, strike_id: '115500000000000030' } },
});

/**
 * Staff marked the post as sensitive: edits by its author keep the mark. The edit that shows it precedes this
 * event.
 */
export const StatusSensitized = defineEvent({
  type: 'StatusSensitized',
  version: 1,
  /** `sensitive` is the author's own value. */
  schema: z.object({ ...ofAuthor, strike_id: id, sensitive: z.boolean() }),
  samples: { 1: { ...sampleOfAuthor, strike_id: '115500000000000030', sensitive: false } },
});

/** The mark of one strike no longer counts; of all strikes when `strike_id` is null. */
export const StatusUnsensitized = defineEvent({
  type: 'StatusUnsensitized',
  version: 1,
  schema: z.object({ ...ofAuthor, strike_id: id.nullable() }),
  samples: { 1: { ...sampleOfAuthor, strike_id: null } },
});

/**
 * The properties of a remote file that its server did not state, found when the file was rendered here. The
 * post's own statement takes precedence.
 */
export const AttachmentDescribed = defineEvent({
  type: 'AttachmentDescribed',
  version: 1,
  schema: z.object({
    ...ofAuthor,
    attachment_id: id,
    blurhash: z.string().max(200).nullable(),
    meta: mediaMeta,
    /**
     * The bytes of videos and sounds tell more than the name of their format: a video without sound is an
     * animation.
     */
    media_type: mediaType.optional(),
  }),
  personal: { subject: ({ account_id }) => account_id, erased: { blurhash: null, meta: {} } },
  samples: {
    1: {
      ...sampleOfAuthor,
      attachment_id: '115500000000000012',
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      meta: { small: { width: 640, height: 360, size: '640x360', aspect: 1.7777777777777777 } },
      media_type: 'gifv',
    },
  },
});

export const statusEvents = [
  StatusCreated,
  StatusEdited,
  ReplyLinked,
  MentionsResolved,
  ReplyRequested,
  ReplyRequestEnded,
  InteractionPolicyChanged,
  StatusDeleted,
  StatusRemoved,
  StatusSensitized,
  StatusUnsensitized,
  StatusPinned,
  StatusUnpinned,
  PollClosed,
  PollTallied,
  QuotePolicyChanged,
  ...quoteEvents,
  PreviewCardAttached,
  AttachmentDescribed,
  RemoteStatusRemoved,
];
export type StatusEvent = EventOf<(typeof statusEvents)[number]>;
