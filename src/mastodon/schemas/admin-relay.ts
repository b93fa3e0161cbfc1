import { z } from 'zod';
import { dateTime, id } from './shared.ts';

/** An addition: Mastodon has no such entity. */
export const adminRelaySchema = z
  .strictObject({
    id,
    inbox_url: z.string(),
    /**
     * The followed actor; null for a relay that accepts a follow of the public collection, as Mastodon's
     * relays do.
     */
    actor_url: z.string().nullable(),
    /** `idle` without a subscription, `pending` until the relay answers. */
    state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
    created_at: dateTime,
  })
  .meta({ id: 'AdminRelay' });
export type AdminRelay = z.infer<typeof adminRelaySchema>;
