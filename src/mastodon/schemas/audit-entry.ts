import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_TARGETS } from '../audit-log.ts';
import { reportCategory } from './report.ts';
import { dateTime, id } from './shared.ts';

const value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string()),
  z.array(z.number()),
]);

/** The change of one field. A long text is cut (`cut`), a personal value is withheld (`withheld`). */
export const auditChangeSchema = z
  .strictObject({
    field: z.string(),
    before: value,
    after: value,
    shown: z.enum(['whole', 'cut', 'withheld']),
  })
  .meta({ id: 'AuditChange' });
export type AuditChange = z.infer<typeof auditChangeSchema>;

/** A target of an entry. `name` is its public name, while it exists. */
export const auditTargetSchema = z
  .strictObject({ type: z.enum(AUDIT_TARGETS), id: id.nullable(), name: z.string().nullable() })
  .meta({ id: 'AuditTarget' });
export type AuditTargetEntity = z.infer<typeof auditTargetSchema>;

/** An application that the audit log names. `name` is null for a deleted one. */
export const auditApplicationSchema = z
  .strictObject({ id, name: z.string().nullable() })
  .meta({ id: 'AuditApplication' });
export type AuditApplication = z.infer<typeof auditApplicationSchema>;

/** One action of staff, the operator or an automation; for staff. Mastodon has no such entity. */
export const auditEntrySchema = z
  .strictObject({
    /** The same as `position`: lists are paged by it. */
    id,
    /** The position in the event log. */
    position: id,
    /** The UUID of the event. */
    event_id: z.string(),
    created_at: dateTime,
    action: z.enum(AUDIT_ACTIONS),
    actor: z.strictObject({
      kind: z.enum(AUDIT_ACTORS),
      /** `acct` is null for a deleted account. */
      account: z.strictObject({ id, acct: z.string().nullable() }).nullable(),
      /** At the time of the action. */
      role: z.string().nullable(),
      /** The name of an automation, or the domain of another server. */
      name: z.string().nullable(),
    }),
    /** The app; null without one. `name` is null for a deleted app. */
    application: auditApplicationSchema.nullable(),
    /** The main target comes first. */
    targets: z.array(auditTargetSchema),
    /** The message to the user, or the note by staff. */
    text: z.string().nullable(),
    changes: z.array(auditChangeSchema),
    /** Shared by the entries of one request or one run of the command line. */
    command_id: z.string(),
    correlation_id: z.string(),
    /** The event that caused this one. */
    causation_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** The number of actions and reports in one month; for staff. Mastodon has no such entity. */
export const auditMonthSchema = z
  .strictObject({
    /** `2026-11`, in UTC. */
    month: z.string(),
    /** Entries of the audit log, by action and actor. */
    entries: z.array(
      z.strictObject({ action: z.enum(AUDIT_ACTIONS), actor_kind: z.enum(AUDIT_ACTORS), count: z.int() }),
    ),
    /** Incoming reports, by their present category. */
    reports: z.array(z.strictObject({ category: reportCategory, count: z.int() })),
  })
  .meta({ id: 'AuditMonth' });
export type AuditMonth = z.infer<typeof auditMonthSchema>;

/** The message to the user of a strike. */
export const strikeNoticeSchema = z
  .strictObject({
    strike_id: id,
    account: z.strictObject({ id, acct: z.string() }),
    /** Whether staff chose to tell the user, by a notification and a mail. */
    notified: z.boolean(),
    /** When the mail was sent; null before that, and for strikes from before mails were recorded. */
    mailed_at: dateTime.nullable(),
    subject: z.string().nullable(),
    /** The plain text as it was sent; null also when the personal data of the user is erased. */
    text: z.string().nullable(),
  })
  .meta({ id: 'StrikeNotice' });
export type StrikeNotice = z.infer<typeof strikeNoticeSchema>;
