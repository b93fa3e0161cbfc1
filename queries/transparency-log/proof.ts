import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParam } from '#kernel/input.ts';

/**
 * Proves that the newest checkpoint contains an event, by hashes only: not all staff members may read the
 * event.
 */
export const showProof = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/proof',
  summary: 'Prove that an event is in the log',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  query: z.object({ position: idParam.describe('The position of the event in the log.') }),
  reply: z.strictObject({
    position: z.string(),
    leaf_index: z.int().min(0),
    tree_size: z.int().min(1),
    leaf_hash: z.base64(),
    hashes: z.array(z.base64()),
    checkpoint: z.string(),
  }),
  errors: [404],
  handler: async ({ services }, { query }) => ({
    json: await services.transparencyLog.proveInclusion(BigInt(query.position)),
  }),
});
