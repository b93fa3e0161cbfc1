import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { statement } from '#kernel/read.ts';
import { type AuditApplication, auditApplicationSchema } from '#mastodon/schemas/index.ts';

const MOST = 100;

/** Steps from one application to the next by the index: the number of entries does not matter. */
const APPLICATIONS = statement<AuditApplication>(
  'audit_applications',
  `with recursive used (id) as (
     select min(application_id) from audit_entries where application_id is not null
     union all
     select (select min(e.application_id) from audit_entries e where e.application_id > used.id)
     from used where used.id is not null)
   select u.id, p.name from (select id from used where id is not null limit ${MOST}) u
   left join applications p on p.id = u.id
   order by lower(p.name) nulls last, u.id`,
);

/** The applications that entries name, for the filter of the audit log. The path is Rookery's own. */
export const listAuditApplications = endpoint({
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  path: '/api/v1/admin/audit/applications',
  summary: 'List the applications that the audit log names',
  reply: z.array(auditApplicationSchema),
  handler: async ({ db }) => ({ json: await db.query(APPLICATIONS) }),
});
