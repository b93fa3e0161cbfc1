import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { identityProofSchema } from '#mastodon/schemas/index.ts';

/**
 * Replies with an empty list, whatever account the path names: Mastodon removed identity proofs.
 * https://docs.joinmastodon.org/methods/accounts/#identity_proofs
 */
export const identityProofs = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/identity_proofs',
  summary: 'View proofs of identity',
  auth: 'user',
  // As in Mastodon, every user may call it.
  scopes: [],
  params: z.object({ id: z.string().max(1_000).describe('The ID of an account, which is not looked up.') }),
  reply: z.array(identityProofSchema),
  deprecated: true,
  deprecatedOn: '2022-03-30',
  handler: () => Promise.resolve({ json: [] }),
});
