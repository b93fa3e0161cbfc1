import { z } from 'zod';
import { accountSchema } from './account.ts';
import { dateTime, id } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Report/ */
export const reportSchema = z
  .strictObject({
    id,
    action_taken: z.boolean(),
    action_taken_at: dateTime.nullable(),
    category: z.enum(['spam', 'legal', 'violation', 'other']),
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

/** https://docs.joinmastodon.org/entities/Appeal/ */
export const appealSchema = z
  .strictObject({ text: z.string(), state: z.enum(['approved', 'rejected', 'pending']) })
  .meta({ id: 'Appeal' });
export type Appeal = z.infer<typeof appealSchema>;

/** A strike, as its target sees it: https://docs.joinmastodon.org/entities/AccountWarning/ */
export const accountWarningSchema = z
  .strictObject({
    id,
    action: z.enum([
      'none',
      'disable',
      'mark_statuses_as_sensitive',
      'delete_statuses',
      'sensitive',
      'silence',
      'suspend',
    ]),
    text: z.string(),
    status_ids: z.array(id).nullable(),
    target_account: accountSchema,
    appeal: appealSchema.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'AccountWarning' });
export type AccountWarning = z.infer<typeof accountWarningSchema>;
