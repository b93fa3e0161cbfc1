import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { mediaMeta } from '#mastodon/media-limits.ts';
import { id, time } from './common.ts';
import { mediaAttachment, mediaPlace } from './media-attachment.ts';

/** One uploaded file, from its upload to its removal. */
export const mediaStream = (mediaId: string): string => `media-${mediaId}`;

/** As this server rendered it, from any upload. */
const rendered = mediaAttachment.pick({ type: true, file: true, preview: true, meta: true, blurhash: true });

const sample = {
  id: '115500000000000010',
  type: 'image',
  file: `ab/cd/abcd${'0'.repeat(60)}.jpg`,
  preview: `ef/01/ef01${'0'.repeat(60)}.jpg`,
  meta: {
    original: { width: 640, height: 480, size: '640x480', aspect: 640 / 480 },
    small: { width: 554, height: 416, size: '554x416', aspect: 554 / 416 },
    focus: { x: -0.5, y: 0.25 },
  },
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
};

/** Slow types are stored in their original form (`source`) and rendered later. */
export const MediaUploaded = defineEvent({
  type: 'MediaUploaded',
  version: 1,
  schema: z.object({
    ...mediaAttachment.shape,
    account_id: id,
    created_at: time,
    state: z.enum(['processed', 'processing']),
    /** The key of the original file while it is processed. */
    source: mediaPlace.nullable(),
  }),
  personal: { subject: (data) => data.account_id, erased: { description: null } },
  samples: {
    1: {
      ...sample,
      remote_url: null,
      description: 'Two rooks on a chimney',
      account_id: '109500000000000000',
      created_at: '2026-11-21T08:00:00.000Z',
      state: 'processed',
      source: null,
    },
  },
});

export const MediaProcessed = defineEvent({
  type: 'MediaProcessed',
  version: 1,
  schema: z.object({ id, ...rendered.shape }),
  samples: { 1: sample },
});

/** The file cannot be processed; retries are useless. */
export const MediaProcessingFailed = defineEvent({
  type: 'MediaProcessingFailed',
  version: 1,
  /** `error` is safe to show. */
  schema: z.object({ id, error: z.string().max(500) }),
  samples: { 1: { id: sample.id, error: 'File type of uploaded media could not be verified' } },
});

/** Only what changed; `meta` whole. */
export const MediaUpdated = defineEvent({
  type: 'MediaUpdated',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    description: mediaAttachment.shape.description.optional(),
    preview: mediaPlace.nullable().optional(),
    blurhash: mediaAttachment.shape.blurhash.optional(),
    meta: mediaMeta.nullable().optional(),
  }),
  personal: { subject: (data) => data.account_id, erased: { description: null } },
  samples: { 1: { id: sample.id, account_id: '109500000000000000', description: 'Three rooks' } },
});

const aboutStatus = { version: 1, schema: z.object({ id, status_id: id }) };
const ofStatus = { 1: { id: sample.id, status_id: '115500000000000000' } };

/** It belongs to this status (or scheduled status) and to no other. */
export const MediaAttached = defineEvent({ type: 'MediaAttached', ...aboutStatus, samples: ofStatus });
/** Its status is deleted, or no longer uses it. It may be attached again, and is removed after a day. */
export const MediaDetached = defineEvent({ type: 'MediaDetached', ...aboutStatus, samples: ofStatus });

/**
 * Staff removed the status. From now on its files have addresses that only users involved with the strike
 * learn. It cannot be attached again.
 */
export const MediaSealed = defineEvent({
  type: 'MediaSealed',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    status_id: id,
    strike_id: id,
    file: mediaPlace.nullable(),
    preview: mediaPlace.nullable(),
    /** Their earlier addresses. */
    former: z.object({ file: mediaPlace.nullable(), preview: mediaPlace.nullable() }),
  }),
  samples: {
    1: {
      id: sample.id,
      account_id: '109500000000000000',
      status_id: '115500000000000000',
      strike_id: '115500000000000030',
      file: `12/34/1234${'0'.repeat(60)}.jpg`,
      preview: null,
      former: { file: sample.file, preview: null },
    },
  },
});

export const MediaDeleted = defineEvent({
  type: 'MediaDeleted',
  version: 1,
  schema: z.object({ id, account_id: id }),
  samples: { 1: { id: sample.id, account_id: '109500000000000000' } },
});

export const mediaEvents = [
  MediaUploaded,
  MediaProcessed,
  MediaProcessingFailed,
  MediaUpdated,
  MediaAttached,
  MediaDetached,
  MediaSealed,
  MediaDeleted,
];
export type MediaEvent = EventOf<(typeof mediaEvents)[number]>;
