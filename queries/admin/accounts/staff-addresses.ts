import { type Db, statement } from '#kernel/read.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';

const STAFF = statement<MemberOfStaff>(
  'staff',
  `select account_id, email, role, moved from users
   where role is not null and confirmed and not disabled and not suspended order by account_id limit 200`,
);

export interface MemberOfStaff {
  account_id: string;
  email: string;
  role: string;
  /** The staff member has moved to another account and cannot act with this one. */
  moved: boolean;
}

/** Returns the staff members whose role has a permission and who can sign in. */
export const staffWhoMay = async (db: Db, permission: Permission): Promise<MemberOfStaff[]> =>
  (await db.query(STAFF)).filter(({ role }) => mayDo(role, permission));

/** Returns the e-mail addresses of `staffWhoMay`. */
export const staffAddresses = async (db: Db, permission: Permission): Promise<string[]> =>
  (await staffWhoMay(db, permission)).map(({ email }) => email);
