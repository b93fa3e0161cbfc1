import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { visibility } from './accounts.ts';
import { id, language, time } from './common.ts';
import { mediaAttachment } from './media-attachment.ts';
import { quotePolicy } from './status-content.ts';

/** One scheduled post. */
export const scheduledStatusStream = (scheduledId: string): string => `scheduled-status-${scheduledId}`;

/** The author's request, unchanged; null leaves a member to the settings. */
const params = z.object({
  text: z.string().max(100_000),
  spoiler_text: z.string().max(100_000).nullable(),
  sensitive: z.boolean().nullable(),
  visibility: visibility.nullable(),
  language: language.nullable(),
  in_reply_to_id: id.nullable(),
  poll: z
    .object({
      options: z.array(z.string().max(5_000)).max(500),
      /** Seconds after the publication. */
      expires_in: z.int(),
      multiple: z.boolean(),
      hide_totals: z.boolean(),
    })
    .nullable(),
  quoted_status_id: id.nullable(),
  quote_approval_policy: quotePolicy.nullable(),
  allowed_mentions: z.array(id).max(1_000).nullable(),
});
export type ScheduledParams = z.infer<typeof params>;

const media = z.array(mediaAttachment).max(16);
const ofAuthor = { id, account_id: id };
const subject = ({ account_id }: { account_id: string }) => account_id;
const sampleOfAuthor = { id: '115500000000000020', account_id: '109500000000000000' };

export const StatusScheduled = defineEvent({
  type: 'StatusScheduled',
  version: 1,
  schema: z.object({ ...ofAuthor, application_id: id.nullable(), scheduled_at: time, params, media }),
  personal: {
    subject,
    erased: {
      media: [],
      params: {
        text: '',
        spoiler_text: null,
        sensitive: null,
        visibility: null,
        language: null,
        in_reply_to_id: null,
        poll: null,
        quoted_status_id: null,
        quote_approval_policy: null,
        allowed_mentions: null,
      },
    },
  },
  samples: {
    1: {
      ...sampleOfAuthor,
      application_id: '115500000000000001',
      scheduled_at: '2026-11-22T08:00:00.000Z',
      params: {
        text: 'Good morning',
        spoiler_text: null,
        sensitive: false,
        visibility: 'public',
        language: 'en',
        in_reply_to_id: null,
        poll: { options: ['Yes', 'No'], expires_in: 3_600, multiple: false, hide_totals: true },
        quoted_status_id: null,
        quote_approval_policy: null,
        allowed_mentions: null,
      },
      media: [],
    },
  },
});

export const ScheduledStatusRescheduled = defineEvent({
  type: 'ScheduledStatusRescheduled',
  version: 1,
  schema: z.object({ ...ofAuthor, scheduled_at: time }),
  samples: { 1: { ...sampleOfAuthor, scheduled_at: '2026-11-23T08:00:00.000Z' } },
});

/** All its media after the edit. */
export const ScheduledStatusMediaEdited = defineEvent({
  type: 'ScheduledStatusMediaEdited',
  version: 1,
  schema: z.object({ ...ofAuthor, media }),
  personal: { subject, erased: { media: [] } },
  samples: { 1: { ...sampleOfAuthor, media: [] } },
});

export const ScheduledStatusCancelled = defineEvent({
  type: 'ScheduledStatusCancelled',
  version: 1,
  schema: z.object(ofAuthor),
  samples: { 1: sampleOfAuthor },
});

/** Its time has come: claims the ids of the post and of its poll, so that repeated work makes one post. */
export const ScheduledStatusPublished = defineEvent({
  type: 'ScheduledStatusPublished',
  version: 1,
  schema: z.object({ ...ofAuthor, status_id: id, poll_id: id, published_at: time }),
  samples: {
    1: {
      ...sampleOfAuthor,
      status_id: '115500000000000030',
      poll_id: '115500000000000031',
      published_at: '2026-11-22T08:00:00.012Z',
    },
  },
});

/**
 * The post can no longer be published: the post that it replies to is deleted, or its author is suspended.
 */
export const ScheduledStatusFailed = defineEvent({
  type: 'ScheduledStatusFailed',
  version: 1,
  schema: z.object({ ...ofAuthor, status_id: id, reason: z.string().max(1_000) }),
  samples: { 1: { ...sampleOfAuthor, status_id: '115500000000000030', reason: 'Record not found' } },
});

export const scheduledStatusEvents = [
  StatusScheduled,
  ScheduledStatusRescheduled,
  ScheduledStatusMediaEdited,
  ScheduledStatusCancelled,
  ScheduledStatusPublished,
  ScheduledStatusFailed,
];
export type ScheduledStatusEvent = EventOf<(typeof scheduledStatusEvents)[number]>;
export type ScheduledStatusData = z.infer<typeof StatusScheduled.schema>;
