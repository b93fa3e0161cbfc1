import { z } from 'zod';

const featurers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy'])).max(4);
/**
 * The accounts that may add an account to their collections: immediately, or once its user agrees. Stored for
 * remote accounts that declare it; local accounts express it by `discoverable` and `locked`.
 */
export const featurePolicy = z.object({ automatic: featurers, manual: featurers });
export type FeaturePolicy = z.infer<typeof featurePolicy>;
