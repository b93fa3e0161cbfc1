import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AuditEntry, auditEntrySchema } from '#mastodon/schemas/index.ts';
import { AUDIT_COLUMNS, AUDIT_JOINS, auditEntry, type AuditRow } from './entries.ts';
import { auditFilter, auditParameters } from './filter.ts';
import { withAccountIds } from './handles.ts';
import { AUDIT_PAGE, auditValues } from './page.ts';

export const STAFF = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
} as const;

const ONE = statement<AuditRow>(
  'audit_entry',
  `select ${AUDIT_COLUMNS} from audit_entries e ${AUDIT_JOINS} where e.position = $1`,
);

/** Returns the entry at a position; undefined for none. */
export async function auditEntryAt(db: Db, id: string): Promise<AuditEntry | undefined> {
  const [row] = await db.query(ONE, [id]);
  return row && auditEntry(row);
}

/**
 * The actions of staff, the operator and automations, newest first. Mastodon shows them on web pages only, so
 * the path is Rookery's own.
 */
export const listAudit = endpoint({
  ...STAFF,
  path: '/api/v1/admin/audit',
  summary: 'View what staff, the operator and automations did',
  query: z.object({ ...auditParameters, ...pageParameters(40, 200) }),
  reply: z.array(auditEntrySchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(
      ctx,
      AUDIT_PAGE,
      query,
      ({ position }) => position,
      auditValues(auditFilter(await withAccountIds(ctx, query))),
    );
    return { json: rows.map(auditEntry), page };
  },
});

export const showAuditEntry = endpoint({
  ...STAFF,
  path: '/api/v1/admin/audit/:id',
  summary: 'View one act of staff, the operator or an automation',
  params: idParams,
  reply: auditEntrySchema,
  handler: async (ctx, { params: { id } }) => {
    const entry = await auditEntryAt(ctx.db, id);
    if (!entry) throw notFound();
    return { json: entry };
  },
});
