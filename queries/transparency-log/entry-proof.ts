import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { entryProofSchema } from '#mastodon/schemas/index.ts';
import { auditEntryAt } from '../admin/audit/index.ts';

/**
 * Proves that the newest checkpoint contains the event of an entry, and shows its hashed form: the entry says
 * the same of it. Other events are proven by hashes only (`proof.ts`).
 */
export const showEntryProof = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/:id/proof',
  summary: 'Prove that the event of an entry of the audit log is in the log',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
  params: idParams,
  reply: entryProofSchema,
  handler: async ({ db, services: { transparencyLog } }, { params: { id } }) => {
    const entry = await auditEntryAt(db, id);
    if (!entry) throw notFound();
    const { leaf, proof, holds, signed, file } = await transparencyLog.eventProof(BigInt(id));
    return { json: { entry, leaf, ...proof, holds, signed, key: transparencyLog.verifierKey, file } };
  },
});
