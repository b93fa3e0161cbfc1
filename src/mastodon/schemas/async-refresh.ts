import { z } from 'zod';
import { count } from './shared.ts';

/** https://docs.joinmastodon.org/entities/AsyncRefresh/ */
export const asyncRefreshSchema = z
  .strictObject({
    id: z.string(),
    status: z.enum(['running', 'finished']),
    /** Null when results are not counted. */
    result_count: count.nullable(),
  })
  .meta({ id: 'AsyncRefresh' });
