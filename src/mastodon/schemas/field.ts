import { z } from 'zod';
import { dateTime } from './shared.ts';

/** A row of a profile: https://docs.joinmastodon.org/entities/Account/#Field */
export const fieldSchema = z
  .strictObject({ name: z.string(), value: z.string(), verified_at: dateTime.nullable() })
  .meta({ id: 'Field' });
export type Field = z.infer<typeof fieldSchema>;
