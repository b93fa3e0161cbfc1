import { z } from 'zod';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { type Db, statement } from '#kernel/read.ts';
import { allRoles, permissionsOf } from '#mastodon/permissions.ts';
import { type Account, type AdminRole, adminRoleSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';

/** The users of each role that a reply names. */
const MOST_NAMED = 100;

const STAFF = statement<Row>(
  'admin_role_accounts',
  `select ${ACCOUNT_COLUMNS}, u.role, u.role_count::int as users_count from (
     select s.account_id, s.role, count(*) over (partition by s.role) as role_count,
       row_number() over (partition by s.role order by s.account_id) as place
     from users s where s.role is not null and s.role <> ''
   ) u join accounts a on a.id = u.account_id ${ACCOUNT_STATS}
   where u.place <= ${MOST_NAMED} order by u.role, u.place`,
);

interface Row extends AccountRow {
  role: string;
  users_count: number;
}

async function rolesWithAccounts({ db, instance }: { db: Db; instance: Instance }): Promise<AdminRole[]> {
  const byRole = Map.groupBy(await db.query(STAFF), ({ role }) => role);
  return allRoles().map(({ id, name }) => {
    const rows = byRole.get(name) ?? [];
    return {
      id,
      name,
      permissions: permissionsOf(name || null),
      users_count: name === '' ? null : (rows[0]?.users_count ?? 0),
      accounts: rows.map((row) => JSON.parse(fillOrigins(accountJson(row), instance)) as Account),
    };
  });
}

export const listRoles = endpoint({
  method: 'GET',
  path: '/api/v1/admin/roles',
  summary: 'List the roles, with their permissions and the users who have them',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_roles',
  reply: z.array(adminRoleSchema),
  handler: async (ctx) => ({ json: await rolesWithAccounts(ctx) }),
});

export const adminRoleQueries = [listRoles];
