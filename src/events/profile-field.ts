import { z } from 'zod';
import { time } from './common.ts';

/** A field of a profile: a name and a text beside it. */
export const profileField = z.object({
  name: z.string().max(2_047),
  value: z.string().max(2_047),
  /** The value as HTML. */
  html: z.string().max(20_000),
  verified_at: time.nullable(),
});
