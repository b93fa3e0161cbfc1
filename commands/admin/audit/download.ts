import { z } from 'zod';
import { AUDIT_FORMATS } from '#events/audit.ts';
import { endpoint } from '#kernel/endpoint.ts';
import {
  auditEntries,
  auditFilter,
  auditLines,
  auditParameters,
  withAccountIds,
} from '#queries/admin/audit/index.ts';
import { recordExport } from './export.ts';

const TYPES = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/**
 * The entries that match a filter, oldest first, as on the command line (`rookery audit export`). It is sent while it
 * is read, in batches. That it was asked for is recorded before it begins. The path is Rookery's own.
 */
export const exportAudit = endpoint({
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  path: '/api/v1/admin/audit_export',
  summary: 'Export what staff, the operator and automations did',
  contentType: TYPES.ndjson,
  query: z.object({
    ...auditParameters,
    format: z.enum(AUDIT_FORMATS).default('ndjson').describe('A JSON text per line, or a table.'),
  }),
  reply: z.string(),
  inPieces: true,
  handler: async (ctx, { query: { format, ...asked } }) => {
    const filter = auditFilter(await withAccountIds(ctx, asked));
    await recordExport(ctx, { format, filter: named(asked) });
    const pieces = auditLines[format](auditEntries(ctx.db, filter, '0'));
    return {
      pieces,
      headers: {
        'Content-Type': TYPES[format],
        'Content-Disposition': `attachment; filename="audit-${ctx.now.slice(0, 10)}.${format}"`,
      },
    };
  },
});

/** The conditions as texts, for the record of the export. */
const named = (
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string][] => {
      const text = typeof value === 'string' ? value : (value ?? []).join(',');
      return text === '' ? [] : [[name, text]];
    }),
  );
