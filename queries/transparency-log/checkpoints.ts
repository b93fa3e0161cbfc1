import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { LARGEST_ID } from '#kernel/ids.ts';
import { formInteger, idParam } from '#kernel/input.ts';
import { checkpointProofSchema, keptCheckpointSchema, logCheckpointSchema } from '#mastodon/schemas/index.ts';

const STAFF = { auth: 'user', scopes: ['admin:read'], permission: 'view_audit_log' } as const;
const DEFAULT_LIMIT = 40;
const MAX_LIMIT = 200;
/** UTF-16 units: some twenty checkpoints with the signatures of witnesses. */
const MAX_TEXT = 50_000;

/** The stored checkpoints, the largest first. */
export const listCheckpoints = endpoint({
  ...STAFF,
  method: 'GET',
  path: '/api/v1/admin/audit/checkpoints',
  summary: 'View the signed checkpoints of the event log',
  query: z.object({
    max_id: idParam.optional().describe('Only checkpoints of fewer events.'),
    limit: formInteger(1, MAX_LIMIT).optional().describe('At most so many.'),
  }),
  reply: z.array(logCheckpointSchema),
  handler: async ({ services }, { query: { max_id = LARGEST_ID, limit } }) => {
    const below = Math.min(Number(max_id), Number.MAX_SAFE_INTEGER);
    const count = limit ?? DEFAULT_LIMIT;
    const found = await services.transparencyLog.checkpoints(below, count);
    const last = found.length < count ? undefined : found.at(-1);
    return {
      json: found.map(({ madeAt, ...each }) => ({
        id: String(each.size),
        created_at: new Date(madeAt).toISOString(),
        ...each,
      })),
      ...(last ? { page: { next: { max_id: String(last.size) } } } : {}),
    };
  },
});

/** Proves that the log only grew since a stored checkpoint. */
export const showCheckpointProof = endpoint({
  ...STAFF,
  method: 'GET',
  path: '/api/v1/admin/audit/checkpoints/:size',
  summary: 'Prove that the newest checkpoint continues an earlier one',
  params: z.object({ size: idParam.describe('The number of events of the earlier checkpoint.') }),
  reply: checkpointProofSchema,
  errors: [404],
  handler: async ({ services: { transparencyLog } }, { params: { size } }) => {
    const from = Math.min(Number(size), Number.MAX_SAFE_INTEGER);
    return {
      json: { ...(await transparencyLog.consistencyEvidence(from)), key: transparencyLog.verifierKey },
    };
  },
});

/** Tells whether the log still contains checkpoints that were kept elsewhere. Changes nothing. */
export const compareCheckpoints = endpoint({
  ...STAFF,
  method: 'POST',
  path: '/api/v1/admin/audit/checkpoints/compare',
  summary: 'Compare kept checkpoints with the event log',
  onlyReads: true,
  body: z.object({
    checkpoints: z.string().max(MAX_TEXT).describe('One or more signed checkpoints, as they were kept.'),
  }),
  reply: z.array(keptCheckpointSchema),
  errors: [404],
  handler: async ({ services }, { body }) => ({
    json: await services.transparencyLog.compareKept(body.checkpoints.replaceAll('\r\n', '\n')),
  }),
});
