import { z } from 'zod';
import { appealState } from '#events/appeals.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams, orNothing } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { adminAppealSchema } from '#mastodon/schemas/index.ts';
import { ADMIN_APPEALS, type AdminAppealRow, adminAppealText, adminAppealTexts } from './appeal.ts';

/** All staff members see all appeals ($1 is the viewer). */
const PAGE = keysetStatement<AdminAppealRow>(
  'admin_appeals',
  (order) => `
    ${ADMIN_APPEALS}
    where $1::bigint is not null and p.id < $2 and p.id > $3 and ($5::text is null or p.state = $5)
    order by p.id ${order} limit $4`,
);

const staff = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_appeals',
} as const;

/**
 * Appeals against strikes, newest first. Mastodon shows them on web pages only, so the path is Rookery's own.
 */
export const listAdminAppeals = endpoint({
  ...staff,
  path: '/api/v1/admin/appeals',
  summary: 'View appeals against strikes, as staff',
  query: z.object({
    ...pageParameters(40, 80),
    state: orNothing(appealState).describe('The state of the appeals; any by default.'),
  }),
  reply: z.array(adminAppealSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id, [query.state ?? null]);
    return { text: jsonArray(await adminAppealTexts(ctx, rows)), page };
  },
});

export const showAdminAppeal = endpoint({
  ...staff,
  path: '/api/v1/admin/appeals/:id',
  summary: 'View an appeal against a strike, as staff',
  params: idParams,
  reply: adminAppealSchema,
  handler: async (ctx, { params: { id } }) => {
    return { text: await adminAppealText(ctx, id) };
  },
});
