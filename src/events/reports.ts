import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** One report: its contents, and what staff did about it. */
export const reportStream = (reportId: string): string => `report-${reportId}`;

/** https://docs.joinmastodon.org/entities/Report/#category */
export const reportCategory = z.enum(['spam', 'legal', 'violation', 'other']);
export type ReportCategory = z.infer<typeof reportCategory>;

/** The most posts in one report. */
export const MAX_REPORTED_STATUSES = 40;
export const MAX_REPORTED_COLLECTIONS = 20;
export const MAX_REPORTED_RULES = 50;

const ruleIds = z.array(id).max(MAX_REPORTED_RULES);

/**
 * A status at the time of the report: `version_id` is the id of its last edit, or its own; with its uploads.
 */
const reportedStatus = z.object({ id, version_id: id, media_ids: z.array(id).max(16) });
export type ReportedStatus = z.infer<typeof reportedStatus>;

/** `account_id` is the reporting account. */
export const ReportFiled = defineEvent({
  type: 'ReportFiled',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    target_account_id: id,
    statuses: z.array(reportedStatus).max(MAX_REPORTED_STATUSES),
    collection_ids: z.array(id).max(MAX_REPORTED_COLLECTIONS),
    comment: z.string().max(10_000),
    /** The staff of the account's own server may be told too. */
    forward: z.boolean(),
    category: reportCategory,
    rule_ids: ruleIds,
  }),
  personal: { subject: (data) => data.account_id, erased: { comment: '' } },
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      target_account_id: '109500000000000001',
      statuses: [
        { id: '115400000000000000', version_id: '115400000000000009', media_ids: ['115300000000000000'] },
      ],
      collection_ids: [],
      comment: 'Sells eggs that are not theirs',
      forward: false,
      category: 'spam',
      rule_ids: [],
    },
  },
});

/** `account_id` is the member of staff; null when no user acted. */
const byStaff = { id, account_id: id };
const byAnybody = { id, account_id: id.nullable() };
const sample = { id: '115500000000000000', account_id: '109500000000000002' };

/** `account_id` claimed the report. */
export const ReportAssigned = defineEvent({
  type: 'ReportAssigned',
  version: 1,
  schema: z.object(byStaff),
  samples: { 1: sample },
});

/** Other staff can claim it. */
export const ReportUnassigned = defineEvent({
  type: 'ReportUnassigned',
  version: 1,
  schema: z.object(byAnybody),
  samples: { 1: sample },
});

/** Resolved directly, or by an action against the account. */
export const ReportResolved = defineEvent({
  type: 'ReportResolved',
  version: 1,
  schema: z.object(byAnybody),
  samples: { 1: sample },
});

/** Strikes with a lower id than `after_id` do not answer the reopened report. Older events lack it. */
export const ReportReopened = defineEvent({
  type: 'ReportReopened',
  version: 1,
  schema: z.object({ ...byAnybody, after_id: id.optional() }),
  samples: { 1: sample },
});

/** Only what changed. */
export const ReportUpdated = defineEvent({
  type: 'ReportUpdated',
  version: 1,
  schema: z.object({ ...byAnybody, category: reportCategory.optional(), rule_ids: ruleIds.optional() }),
  samples: { 1: { ...sample, category: 'violation', rule_ids: ['115000000000000000'] } },
});

/** A note of one staff member for the others. */
export const ReportNoteAdded = defineEvent({
  type: 'ReportNoteAdded',
  version: 1,
  schema: z.object({ ...byStaff, note_id: id, content: z.string().max(4_000) }),
  personal: { subject: (data) => data.account_id, erased: { content: '' } },
  samples: { 1: { ...sample, note_id: '115500000000000001', content: 'Known from another server' } },
});

export const reportEvents = [
  ReportFiled,
  ReportAssigned,
  ReportUnassigned,
  ReportResolved,
  ReportReopened,
  ReportUpdated,
  ReportNoteAdded,
];

export type ReportEvent = EventOf<(typeof reportEvents)[number]>;
