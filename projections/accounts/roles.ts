import { UserRegistered, type UserRole, UserRoleChanged } from '#events/accounts.ts';
import { type BoundHandler, dataOf, on } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { changeProfiles } from './rewrite.ts';
import { ACCOUNTS } from './tables.ts';

const SET_ROLE = ACCOUNTS.set('role');

interface Given {
  account_id: string;
  role: UserRole | null;
}

async function setRoles(given: readonly Given[], db: Db): Promise<void> {
  if (given.length === 0) return;
  const ids = given.map(({ account_id }) => account_id);
  await SET_ROLE(
    given.map(({ account_id: id, role }) => ({ id, role })),
    db,
  );
  await changeProfiles(new Map(ids.map((id) => [id, (profile) => profile])), db);
}

/** The roles of staff, which everyone sees beside the name. */
export const roleHandlers: readonly BoundHandler[] = [
  on(UserRegistered, {
    keys: ({ data }) => [data.account_id],
    apply: (events, db) =>
      setRoles(
        dataOf(events).filter(({ role }) => role !== null),
        db,
      ),
  }),
  on(UserRoleChanged, {
    keys: ({ data }) => [data.account_id],
    apply: (events, db) => setRoles(dataOf(events), db),
  }),
];
