import { UserRegistered, type UserRole, UserRoleChanged } from '#events/accounts.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { changeProfiles } from './rewrite.ts';

const SET_ROLE = statement(
  'accounts_role',
  `update accounts a set role = n.role from unnest($1::bigint[], $2::text[]) as n (id, role) where a.id = n.id`,
);

interface Given {
  account_id: string;
  role: UserRole | null;
}

async function setRoles(given: readonly Given[], db: Db): Promise<void> {
  if (given.length === 0) return;
  const ids = given.map(({ account_id }) => account_id);
  await db.query(SET_ROLE, [ids, given.map(({ role }) => role)]);
  await changeProfiles(new Map(ids.map((id) => [id, (profile) => profile])), db);
}

/** The roles of staff, which everyone sees beside the name. */
export const roleHandlers: readonly BoundHandler[] = [
  on(UserRegistered, {
    keys: ({ data }) => [data.account_id],
    apply: (events, db) =>
      setRoles(
        events.map(({ data }) => data).filter(({ role }) => role !== null),
        db,
      ),
  }),
  on(UserRoleChanged, {
    keys: ({ data }) => [data.account_id],
    apply: (events, db) =>
      setRoles(
        events.map(({ data }) => data),
        db,
      ),
  }),
];
