import { z } from 'zod';
import { accountSchema } from './account.ts';
import { adminAccountSchema } from './admin-account.ts';
import { adminReportSchema, reportCategory } from './report.ts';
import { count, date, dateTime, id } from './shared.ts';
import { strikeActionSchema } from './strike.ts';

/*
 * Entities for staff beside those of Mastodon: a queue of reports, a report with all that is known about both sides, the
 * record of an account, and the number of things that wait. Rookery's own.
 */

/** A local or remote account by its name. */
export const adminNamedAccountSchema = z
  .strictObject({ id, acct: z.string() })
  .meta({ id: 'AdminNamedAccount' });
export type AdminNamedAccount = z.infer<typeof adminNamedAccountSchema>;

/** A report without its evidence. */
export const queuedReportSchema = z
  .strictObject({
    id,
    category: reportCategory,
    comment: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
    action_taken_at: dateTime.nullable(),
    statuses_count: count,
    notes_count: count,
    account: accountSchema,
    target_account: accountSchema,
    assigned_account: accountSchema.nullable(),
    action_taken_by_account: accountSchema.nullable(),
  })
  .meta({ id: 'AdminQueuedReport' });
export type QueuedReport = z.infer<typeof queuedReportSchema>;

export const adminNoteSchema = z
  .strictObject({
    id,
    report_id: id,
    content: z.string(),
    created_at: dateTime,
    account: adminNamedAccountSchema.nullable(),
  })
  .meta({ id: 'AdminNote' });
export type AdminNote = z.infer<typeof adminNoteSchema>;

export const adminRelatedReportSchema = z
  .strictObject({
    id,
    category: reportCategory,
    comment: z.string(),
    created_at: dateTime,
    action_taken_at: dateTime.nullable(),
    account: adminNamedAccountSchema.nullable(),
    target_account: adminNamedAccountSchema.nullable(),
    action_taken_by_account: adminNamedAccountSchema.nullable(),
  })
  .meta({ id: 'AdminRelatedReport' });
export type RelatedReport = z.infer<typeof adminRelatedReportSchema>;

/** The number of all, and the newest of them. */
const relatedReports = z.strictObject({ count, reports: z.array(adminRelatedReportSchema) });
export type RelatedReports = z.infer<typeof relatedReports>;

export const adminPastStrikeSchema = z
  .strictObject({
    id,
    action: strikeActionSchema,
    text: z.string(),
    created_at: dateTime,
    overruled_at: dateTime.nullable(),
    report_id: id.nullable(),
    /** Null for the operator. */
    account: adminNamedAccountSchema.nullable(),
    appeal: z.strictObject({ id, state: z.string() }).nullable(),
  })
  .meta({ id: 'AdminPastStrike' });
export type PastStrike = z.infer<typeof adminPastStrikeSchema>;

export const reportCaseSchema = z
  .strictObject({
    report: adminReportSchema,
    /** Newest first, like all lists here. */
    notes: z.array(adminNoteSchema),
    about_target: relatedReports,
    by_reporter: relatedReports,
    /** Against the reported account. */
    strikes: z.array(adminPastStrikeSchema),
    /** The unresolved report to handle next, and the one before; null without another one. */
    next_id: id.nullable(),
    previous_id: id.nullable(),
  })
  .meta({ id: 'AdminReportCase' });
export type ReportCase = z.infer<typeof reportCaseSchema>;

export const accountRecordSchema = z
  .strictObject({
    account: adminAccountSchema,
    /** Null for users who were never seen, and for accounts of other servers. */
    last_active_on: date.nullable(),
    /** The browsers that are signed in. */
    sessions_count: count,
    strikes: z.array(adminPastStrikeSchema),
    about_target: relatedReports,
    by_reporter: relatedReports,
    /** Notes about reports of the account. */
    notes: z.array(adminNoteSchema),
  })
  .meta({ id: 'AdminAccountRecord' });
export type AccountRecord = z.infer<typeof accountRecordSchema>;

/** The number of things that wait for staff; null for what the role may not decide. */
export const waitingSchema = z
  .strictObject({
    reports: z.strictObject({ unresolved: count, unassigned: count, mine: count }).nullable(),
    sign_ups: count.nullable(),
    appeals: count.nullable(),
    trends: z.strictObject({ tags: count, links: count, statuses: count }).nullable(),
  })
  .meta({ id: 'AdminWaiting' });
export type Waiting = z.infer<typeof waitingSchema>;
