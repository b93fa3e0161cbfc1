import { z } from 'zod';

const party = z.enum(['public', 'followers', 'following', 'unsupported_policy']);

/**
 * The accounts that may add an account to a collection:
 * https://docs.joinmastodon.org/entities/FeatureApproval/
 */
export const featureApprovalSchema = z
  .strictObject({
    automatic: z.array(z.enum([...party.options, 'disabled'])),
    manual: z.array(party),
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown', 'missing']),
  })
  .meta({ id: 'FeatureApproval' });
export type FeatureApproval = z.infer<typeof featureApprovalSchema>;
