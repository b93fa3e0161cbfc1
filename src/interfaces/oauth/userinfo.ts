import type { Profile } from '#events/accounts.ts';
import type { Instance } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';

const FIND = statement<{ username: string; display_name: string; uri: string; url: string; profile: string }>(
  'oauth_userinfo',
  'select username, display_name, uri, url, profile from accounts where id = $1',
);

/** Claims about a user: https://docs.joinmastodon.org/methods/oauth/#userinfo */
export interface UserInfo {
  iss: string;
  sub: string;
  name: string;
  preferred_username: string;
  profile: string;
  picture: string;
}

export async function findUserInfo(
  db: Db,
  instance: Instance,
  accountId: string,
): Promise<UserInfo | undefined> {
  const [row] = await db.query(FIND, [accountId]);
  return (
    row && {
      iss: `${instance.origin}/`,
      sub: row.uri,
      name: row.display_name,
      preferred_username: row.username,
      profile: row.url,
      picture: pictureOf(instance, JSON.parse(row.profile) as Partial<Profile>),
    }
  );
}

const pictureOf = ({ origin, mediaOrigin }: Instance, { avatar }: Partial<Profile>): string =>
  avatar ? `${mediaOrigin}/${avatar.original}` : `${origin}/avatars/original/missing.png`;
