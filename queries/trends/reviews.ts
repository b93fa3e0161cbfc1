import { mayDo, type Permission } from '../../src/kernel/permissions.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const UNREVIEWED = statement(
  'tags_unreviewed',
  `select n.tag, coalesce(t.display_name, n.tag) as name from unnest($1::text[]) as n (tag)
   left join tags t on t.tag = n.tag where not exists (select from tag_reviews r where r.tag = n.tag)`,
);
const STAFF = statement(
  'staff_addresses',
  `select email, role from users where role is not null and confirmed and not disabled and not suspended
   order by account_id limit 200`,
);

/** Of these hashtags, those that staff was not asked about yet, as they are spelled. */
export const unreviewedTags = (db: Db, tags: readonly string[]): Promise<{ tag: string; name: string }[]> =>
  db.query(UNREVIEWED, [tags]);

/** The e-mail addresses of those whose role allows something. */
export async function staffAddresses(db: Db, permission: Permission): Promise<string[]> {
  const staff = await db.query<{ email: string; role: string }>(STAFF);
  return staff.filter(({ role }) => mayDo(role, permission)).map(({ email }) => email);
}
