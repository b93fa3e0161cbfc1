import { z } from 'zod';

const featurers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy'])).max(4);
/**
 * The accounts that may put an account into their collections: at once, or once its user agrees. It is kept of accounts of other servers
 * that say so; local accounts say it by `discoverable` and `locked`.
 */
export const featurePolicy = z.object({ automatic: featurers, manual: featurers });
export type FeaturePolicy = z.infer<typeof featurePolicy>;
