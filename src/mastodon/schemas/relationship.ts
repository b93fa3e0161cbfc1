import { z } from 'zod';
import { dateTime, id, language } from './shared.ts';

/**
 * https://docs.joinmastodon.org/entities/Relationship/. The specification omits `blocked_by`; a few
 * applications receive it (`queries/entities/adaptations.ts`).
 */
export const relationshipSchema = z
  .strictObject({
    id,
    following: z.boolean(),
    showing_reblogs: z.boolean(),
    notifying: z.boolean(),
    languages: z.array(language).nullable(),
    followed_by: z.boolean(),
    blocking: z.boolean(),
    blocked_by: z.boolean().optional(),
    muting: z.boolean(),
    muting_notifications: z.boolean(),
    muting_expires_at: dateTime.nullable().optional(),
    requested: z.boolean(),
    requested_by: z.boolean(),
    domain_blocking: z.boolean(),
    endorsed: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'Relationship' });
export type Relationship = z.infer<typeof relationshipSchema>;
