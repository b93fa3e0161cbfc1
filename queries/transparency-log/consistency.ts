import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParam } from '#kernel/input.ts';

/** Proves that the log only grew between two checkpoints. */
export const showConsistency = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/consistency',
  summary: 'Prove that a checkpoint of the log continues an earlier one',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  query: z.object({
    from: idParam.describe('The number of events in the earlier tree.'),
    to: idParam
      .optional()
      .describe('The number of events in the later tree; that of the newest checkpoint by default.'),
  }),
  reply: z.strictObject({
    from: z.int().min(1),
    to: z.int().min(1),
    hashes: z.array(z.base64()),
    checkpoint: z.string().nullable(),
  }),
  errors: [404],
  handler: async ({ services }, { query }) => ({
    json: await services.transparencyLog.proveConsistency(
      Number(query.from),
      query.to === undefined ? undefined : Number(query.to),
    ),
  }),
});
