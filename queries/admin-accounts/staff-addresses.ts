import { mayDo, type Permission } from '../../src/kernel/permissions.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const STAFF = statement(
  'staff_addresses',
  `select email, role from users where role is not null and confirmed and not disabled and not suspended
   order by account_id limit 200`,
);

/** The e-mail addresses of those whose role allows something. */
export async function staffAddresses(db: Db, permission: Permission): Promise<string[]> {
  const staff = await db.query<{ email: string; role: string }>(STAFF);
  return staff.filter(({ role }) => mayDo(role, permission)).map(({ email }) => email);
}
