import { z } from 'zod';
import { count, dateTime } from './shared.ts';

/** Read models as they were at a position of the log. Rookery's own entity. */
export const adminPastBuildSchema = z
  .strictObject({
    position: z.string(),
    moment: dateTime.nullable(),
    state: z.enum(['ready', 'building', 'unfinished', 'outdated', 'erased']),
    served: z.boolean(),
    bytes: count,
    /** The part that is done, from 0 to 1; null unless the answering process builds it. */
    progress: z.number().nullable(),
  })
  .meta({ id: 'AdminPastBuild' });
export type AdminPastBuild = z.infer<typeof adminPastBuildSchema>;
