import type { Profile } from '#events/accounts.ts';
import { type Db, statement } from '#kernel/read.ts';
import { accountBody, type Identity, type Shown } from './body.ts';
import { ACCOUNTS } from './tables.ts';

const UPDATE = ACCOUNTS.set('profile', 'body');
const SELECT = statement<Shown & { profile: string }>(
  'accounts_profiles',
  'select id, username, domain, uri, url, created_at, role, profile, invalid_handle from accounts where id = any($1)',
);
const SET_FLAGS = ACCOUNTS.set(
  'locked',
  'bot',
  'discoverable',
  'indexable',
  'hide_collections',
  'display_name',
);

interface Row {
  identity: Identity;
  profile: Profile;
}

interface ShownRow extends Row {
  identity: Shown;
}

/** Changes the profiles of existing accounts, and everything that is derived from them. */
export async function changeProfiles(
  changes: ReadonlyMap<string, (before: Profile) => Profile>,
  db: Db,
): Promise<void> {
  const found = await db.query(SELECT, [[...changes.keys()]]);
  const rows = found.map(({ profile, ...identity }): ShownRow => {
    const before = JSON.parse(profile) as Profile;
    return { identity, profile: changes.get(identity.id)?.(before) ?? before };
  });
  await UPDATE(
    rows.map(({ identity, profile }) => ({ id: identity.id, profile, body: accountBody(identity, profile) })),
    db,
  );
  await setFlags(rows, db);
}

/** Properties that statements query have columns of their own. */
export async function setFlags(rows: readonly Row[], db: Db): Promise<void> {
  await SET_FLAGS.from(
    rows.map(({ identity: { id }, profile }) => ({ ...profile, id })),
    db,
  );
}
