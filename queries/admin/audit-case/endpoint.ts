import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { mayDo } from '#mastodon/permissions.ts';
import { caseFileSchema } from '#mastodon/schemas/index.ts';
import { caseOf } from './gather.ts';

/** Everything about one decision, for an authority: the console packs `files` into an archive. */
export const showAuditCase = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/:id/case',
  summary: 'View everything about one decision, with proofs',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
  params: idParams,
  reply: caseFileSchema,
  handler: async (ctx, { params: { id } }) => {
    const readsReports = mayDo(ctx.viewer.role, 'manage_reports');
    const found = await caseOf(ctx, id, { readsReports });
    if (!found) throw notFound();
    return { json: found };
  },
});
