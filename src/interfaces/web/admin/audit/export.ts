import { consolePage } from '../console-page.ts';
import type { WebPage } from '../../page/page.ts';
import { askedBy, conditionsIn } from './filter.ts';
import { AUDIT } from './filter-bar.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const;

/** The files with exactly the entries that fit the conditions of the page before. */
export const auditExports: readonly WebPage[] = (['csv', 'ndjson'] as const).map((format) =>
  consolePage({
    path: `${AUDIT}/export.${format}`,
    permission: 'view_audit_log',
    show: async (request) => {
      const { entity } = await request.api<AsyncIterable<string>>('GET v1/admin/audit/export', {
        query: { ...askedBy(conditionsIn(request)), format },
      });
      const file = `audit-${request.ctx.now.slice(0, 10)}.${format}`;
      return { file, type: TYPES[format], content: entity };
    },
  }),
);
