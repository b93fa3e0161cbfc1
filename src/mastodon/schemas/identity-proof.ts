import { z } from 'zod';
import { dateTime, url } from './shared.ts';

/** https://docs.joinmastodon.org/entities/IdentityProof/; Mastodon creates none since 3.5. */
export const identityProofSchema = z
  .strictObject({
    provider: z.string(),
    provider_username: z.string(),
    updated_at: dateTime,
    proof_url: url,
    profile_url: url,
  })
  .meta({ id: 'IdentityProof' });
export type IdentityProof = z.infer<typeof identityProofSchema>;
