import { z } from 'zod';
import { ALERT_NAMES } from '../alerts.ts';
import { dateTime, id } from './shared.ts';

/** An alert to the operator of this server. Rookery's own entity. */
export const adminAlertSchema = z
  .strictObject({
    id,
    name: z.enum(ALERT_NAMES),
    /** The group, read model or server that it is about; empty where there can be only one. */
    subject: z.string(),
    detail: z.string(),
    raised_at: dateTime,
    resolved_at: dateTime.nullable(),
    acknowledged_at: dateTime.nullable(),
    acknowledged_by: z.strictObject({ id, username: z.string().nullable() }).nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'AdminAlert' });
export type AdminAlert = z.infer<typeof adminAlertSchema>;
