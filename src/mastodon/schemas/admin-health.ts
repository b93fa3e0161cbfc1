import { z } from 'zod';
import { count, dateTime } from './shared.ts';

/** The state of the parts below this server; sizes are in bytes. Rookery's own entity. */
export const adminHealthSchema = z
  .strictObject({
    findings: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['ok', 'warning', 'broken', 'altered']),
        text: z.string(),
      }),
    ),
    /** Null without a folder for files. */
    disk: z.strictObject({ folder: z.string(), free: count, total: count }).nullable(),
    memory: z.strictObject({ process: count, free: count, total: count }),
    uptime_seconds: count,
    redis: z.enum(['unused', 'up', 'down']),
    event_log: z.enum(['postgresql', 'eventstoredb']),
    /** Null while it cannot be looked at. */
    database: z
      .strictObject({ version: z.string(), bytes: count, connections: count, max_connections: count })
      .nullable(),
    versions: z.array(z.strictObject({ key: z.string(), name: z.string(), version: z.string() })),
    usage: z.array(z.strictObject({ key: z.string(), name: z.string(), bytes: count })),
    /** The last ten, the newest first. */
    backups: z.array(
      z.strictObject({
        taken_at: dateTime,
        finished_at: dateTime,
        position: z.string(),
        events: count,
        folder: z.string(),
        media: z.enum(['files', 'bucket', 'none']),
        keys: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'AdminHealth' });
export type AdminHealth = z.infer<typeof adminHealthSchema>;
