import { z } from 'zod';
import { accountSchema } from './account.ts';
import { adminAccountSchema } from './admin-account.ts';
import { reportCategory } from './report.ts';
import { dateTime, id } from './shared.ts';
import { statusSchema } from './status.ts';

/** https://docs.joinmastodon.org/entities/Appeal/ */
export const appealSchema = z
  .strictObject({ text: z.string(), state: z.enum(['approved', 'rejected', 'pending']) })
  .meta({ id: 'Appeal' });
export type Appeal = z.infer<typeof appealSchema>;

export const strikeActionSchema = z.enum([
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
]);

/** A strike for its target: https://docs.joinmastodon.org/entities/AccountWarning/ */
export const accountWarningSchema = z
  .strictObject({
    id,
    action: strikeActionSchema,
    text: z.string(),
    status_ids: z.array(id).nullable(),
    target_account: accountSchema,
    appeal: appealSchema.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'AccountWarning' });
export type AccountWarning = z.infer<typeof accountWarningSchema>;

const state = z.enum(['pending', 'approved', 'rejected', 'withdrawn']);

/** An appeal for its author: with the answer of the staff, without their name. */
export const strikeAppealSchema = z
  .strictObject({
    id,
    state,
    text: z.string(),
    created_at: dateTime,
    /** When it was decided or withdrawn. */
    closed_at: dateTime.nullable(),
    /** The answer of the staff; empty without one. */
    note: z.string(),
  })
  .meta({ id: 'StrikeAppeal' });

/** The grounds of a strike, from the report that led to it: its category, and the texts of the rules that it cites. */
export const strikeGroundsSchema = z
  .strictObject({ category: reportCategory, rules: z.array(z.string()) })
  .meta({ id: 'StrikeGrounds' });
export type StrikeGrounds = z.infer<typeof strikeGroundsSchema>;

/**
 * A strike for its target, with more than a notification contains. Nothing in it names the member of staff.
 */
export const strikeSchema = accountWarningSchema
  .extend({
    /** Null without a report. */
    grounds: strikeGroundsSchema.nullable(),
    appeal: strikeAppealSchema.nullable(),
    /** The last day for an appeal; null after one. */
    appealable_until: dateTime.nullable(),
    /** When an appeal was approved. */
    overruled_at: dateTime.nullable(),
  })
  .meta({ id: 'Strike' });
export type Strike = z.infer<typeof strikeSchema>;

/** An appeal with its strike; for staff. */
export const adminAppealSchema = z
  .strictObject({
    id,
    state,
    text: z.string(),
    note: z.string(),
    created_at: dateTime,
    closed_at: dateTime.nullable(),
    account: adminAccountSchema,
    /** Null when there is no decision, or the operator decided on the command line. */
    decided_by_account: adminAccountSchema.nullable(),
    strike: z.strictObject({
      id,
      action: strikeActionSchema,
      text: z.string(),
      created_at: dateTime,
      overruled_at: dateTime.nullable(),
      report_id: id.nullable(),
    }),
    /** The staff member who imposed the strike; null for the operator on the command line. */
    imposed_by_account: adminAccountSchema.nullable(),
    /** The posts of the strike, as they were when they were reported. */
    statuses: z.array(statusSchema),
  })
  .meta({ id: 'AdminAppeal' });
export type AdminAppeal = z.infer<typeof adminAppealSchema>;
