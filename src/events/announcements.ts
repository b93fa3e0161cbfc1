import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { MAX_TAG_LENGTH } from '#mastodon/normalize-tag.ts';
import { id, time, url } from './common.ts';

/** One announcement of the staff to all users. */
export const announcementStream = (announcementId: string): string => `announcement-${announcementId}`;
/** One reader's dismissal of, or reactions to, one announcement. */
export const announcementReaderStream = (accountId: string, announcementId: string): string =>
  `announcement-reader-${accountId}-${announcementId}`;

/** Characters. */
export const MAX_ANNOUNCEMENT_TEXT = 5_000;
/** Distinct emojis with which users react to one announcement, as in Mastodon. */
export const MAX_REACTIONS = 8;

const announcement_id = id;
const mention = z.object({ id, username: z.string().max(2_048), acct: z.string().max(2_400), url });
/** The text; the other members derive from it. */
const text = {
  text: z.string().max(2 * MAX_ANNOUNCEMENT_TEXT),
  /** HTML. */
  content: z.string().max(200_000),
  mentions: z.array(mention).max(MAX_ANNOUNCEMENT_TEXT),
  tags: z
    .array(z.object({ name: z.string().max(MAX_TAG_LENGTH), normal: z.string().max(MAX_TAG_LENGTH) }))
    .max(MAX_ANNOUNCEMENT_TEXT),
  /** Posts of this server that the text links to. */
  status_ids: z.array(id).max(MAX_ANNOUNCEMENT_TEXT),
};
const times = {
  /** The start and end of the announced event. The announcement is unpublished at the end. */
  starts_at: time.nullable(),
  ends_at: time.nullable(),
  /** Only the days (UTC) of the times count. */
  all_day: z.boolean(),
  /** The time of publication, until then. */
  scheduled_at: time.nullable(),
};
export const announcementContent = z.object({ ...text, ...times });
export type AnnouncementContent = z.infer<typeof announcementContent>;

const sample = { announcement_id: '115500000000000001' };
const sampleReaction = { ...sample, account_id: '109500000000000000', name: '🎉' };

/** Readers see the announcement only after it is published. */
export const AnnouncementCreated = defineEvent({
  type: 'AnnouncementCreated',
  version: 1,
  schema: z.object({ announcement_id, ...announcementContent.shape, created_at: time }),
  samples: {
    1: {
      ...sample,
      text: 'We move tonight',
      content: '<p>We move tonight</p>',
      mentions: [],
      tags: [],
      status_ids: [],
      starts_at: '2026-12-01T20:00:00.000Z',
      ends_at: '2026-12-01T22:00:00.000Z',
      all_day: false,
      scheduled_at: null,
      created_at: '2026-11-22T10:00:00.000Z',
    },
  },
});

/** Only what changed. */
export const AnnouncementUpdated = defineEvent({
  type: 'AnnouncementUpdated',
  version: 1,
  schema: z.object({ announcement_id, ...announcementContent.partial().shape, updated_at: time }),
  samples: { 1: { ...sample, ends_at: null, all_day: false, updated_at: '2026-11-22T11:00:00.000Z' } },
});

export const AnnouncementPublished = defineEvent({
  type: 'AnnouncementPublished',
  version: 1,
  schema: z.object({ announcement_id, published_at: time }),
  samples: { 1: { ...sample, published_at: '2026-11-22T11:00:00.000Z' } },
});

/** Unpublished, by the staff or because it has ended. */
export const AnnouncementUnpublished = defineEvent({
  type: 'AnnouncementUnpublished',
  version: 1,
  schema: z.object({ announcement_id }),
  samples: { 1: sample },
});

/** Deletes reactions and dismissals too. */
export const AnnouncementDeleted = defineEvent({
  type: 'AnnouncementDeleted',
  version: 1,
  schema: z.object({ announcement_id }),
  samples: { 1: sample },
});

export const AnnouncementDismissed = defineEvent({
  type: 'AnnouncementDismissed',
  version: 1,
  schema: z.object({ announcement_id, account_id: id }),
  samples: { 1: { ...sample, account_id: '109500000000000000' } },
});

/** `name` is an emoji, or the shortcode of a custom one. `id` is the reaction's own. */
export const AnnouncementReactionAdded = defineEvent({
  type: 'AnnouncementReactionAdded',
  version: 1,
  schema: z.object({ id, announcement_id, account_id: id, name: z.string().max(100) }),
  samples: { 1: { id: '115500000000000002', ...sampleReaction } },
});

export const AnnouncementReactionRemoved = defineEvent({
  type: 'AnnouncementReactionRemoved',
  version: 1,
  schema: z.object({ announcement_id, account_id: id, name: z.string().max(100) }),
  samples: { 1: sampleReaction },
});

export const announcementEvents = [
  AnnouncementCreated,
  AnnouncementUpdated,
  AnnouncementPublished,
  AnnouncementUnpublished,
  AnnouncementDeleted,
  AnnouncementDismissed,
  AnnouncementReactionAdded,
  AnnouncementReactionRemoved,
];

export type AnnouncementEvent =
  | EventOf<typeof AnnouncementCreated>
  | EventOf<typeof AnnouncementUpdated>
  | EventOf<typeof AnnouncementPublished>
  | EventOf<typeof AnnouncementUnpublished>
  | EventOf<typeof AnnouncementDeleted>;
export type AnnouncementReaderEvent =
  | EventOf<typeof AnnouncementDismissed>
  | EventOf<typeof AnnouncementReactionAdded>
  | EventOf<typeof AnnouncementReactionRemoved>;
