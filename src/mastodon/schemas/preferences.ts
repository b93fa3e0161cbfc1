import { z } from 'zod';
import { quotePolicySchema, visibilitySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Preferences/ */
export const preferencesSchema = z
  .strictObject({
    'posting:default:visibility': visibilitySchema,
    'posting:default:sensitive': z.boolean(),
    'posting:default:language': z.string().nullable(),
    'posting:default:quote_policy': quotePolicySchema,
    'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': z.boolean(),
    'reading:autoplay:gifs': z.boolean(),
    /** An addition: Mastodon shows it only on its website. */
    'reading:aggregate:reblogs': z.boolean(),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof preferencesSchema>;
