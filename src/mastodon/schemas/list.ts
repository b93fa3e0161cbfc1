import { z } from 'zod';
import { id } from './shared.ts';

/** https://docs.joinmastodon.org/entities/List/ */
export const listSchema = z
  .strictObject({
    id,
    title: z.string(),
    replies_policy: z.enum(['followed', 'list', 'none']),
    exclusive: z.boolean(),
  })
  .meta({ id: 'List' });
export type List = z.infer<typeof listSchema>;
