import type { Profile } from '#events/accounts.ts';
import { type Db, statement } from '#kernel/read.ts';
import { accountBody, type Identity, type Shown } from './body.ts';

const UPDATE = statement(
  'accounts_update',
  `update accounts a set profile = n.profile, body = n.body
   from unnest($1::bigint[], $2::text[], $3::text[]) as n (id, profile, body) where a.id = n.id`,
);
const SELECT = statement(
  'accounts_profiles',
  'select id, username, domain, uri, url, created_at, role, profile, invalid_handle from accounts where id = any($1)',
);
const SET_FLAGS = statement(
  'accounts_flags',
  `update accounts a set (locked, bot, discoverable, indexable, hide_collections, display_name) =
     (n.locked, n.bot, n.discoverable, n.indexable, n.hide_collections, n.display_name)
   from unnest($1::bigint[], $2::bool[], $3::bool[], $4::bool[], $5::bool[], $6::bool[], $7::text[])
     as n (id, locked, bot, discoverable, indexable, hide_collections, display_name) where a.id = n.id`,
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
  const found = await db.query<Shown & { profile: string }>(SELECT, [[...changes.keys()]]);
  const rows = found.map(({ profile, ...identity }): ShownRow => {
    const before = JSON.parse(profile) as Profile;
    return { identity, profile: changes.get(identity.id)?.(before) ?? before };
  });
  await db.query(UPDATE, [
    rows.map(({ identity }) => identity.id),
    rows.map(({ profile }) => JSON.stringify(profile)),
    rows.map(({ identity, profile }) => accountBody(identity, profile)),
  ]);
  await setFlags(rows, db);
}

/** Properties that statements query have columns of their own. */
export async function setFlags(rows: readonly Row[], db: Db): Promise<void> {
  await db.query(SET_FLAGS, [
    rows.map(({ identity }) => identity.id),
    rows.map(({ profile }) => profile.locked),
    rows.map(({ profile }) => profile.bot),
    rows.map(({ profile }) => profile.discoverable),
    rows.map(({ profile }) => profile.indexable),
    rows.map(({ profile }) => profile.hide_collections),
    rows.map(({ profile }) => profile.display_name),
  ]);
}
