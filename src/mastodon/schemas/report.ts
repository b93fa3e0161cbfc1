import { z } from 'zod';
import { accountSchema } from './account.ts';
import { adminAccountSchema } from './admin-account.ts';
import { ruleSchema } from './instance.ts';
import { dateTime, id } from './shared.ts';
import { statusSchema } from './status.ts';

export const reportCategory = z.enum(['spam', 'legal', 'violation', 'other']);

/** https://docs.joinmastodon.org/entities/Report/ */
export const reportSchema = z
  .strictObject({
    id,
    action_taken: z.boolean(),
    action_taken_at: dateTime.nullable(),
    category: reportCategory,
    comment: z.string(),
    forwarded: z.boolean(),
    created_at: dateTime,
    status_ids: z.array(id).nullable(),
    collection_ids: z.array(id).nullable().optional(),
    rule_ids: z.array(id).nullable(),
    target_account: accountSchema,
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof reportSchema>;

/** For staff: https://docs.joinmastodon.org/entities/Admin_Report/ */
export const adminReportSchema = z
  .strictObject({
    id,
    action_taken: z.boolean(),
    action_taken_at: dateTime.nullable(),
    category: reportCategory,
    comment: z.string(),
    forwarded: z.boolean(),
    created_at: dateTime,
    /** The time of the last action on it. */
    updated_at: dateTime,
    account: adminAccountSchema,
    target_account: adminAccountSchema,
    assigned_account: adminAccountSchema.nullable(),
    action_taken_by_account: adminAccountSchema.nullable(),
    /** As they were when they were reported, even if deleted since. */
    statuses: z.array(statusSchema),
    /** An addition: Mastodon shows them on its web pages. */
    collection_ids: z.array(id),
    rules: z.array(ruleSchema),
  })
  .meta({ id: 'AdminReport' });
export type AdminReport = z.infer<typeof adminReportSchema>;

/** A note of a staff member about a report; for staff. */
export const reportNoteSchema = z
  .strictObject({ id, content: z.string(), created_at: dateTime, account: accountSchema })
  .meta({ id: 'ReportNote' });
export type ReportNote = z.infer<typeof reportNoteSchema>;
