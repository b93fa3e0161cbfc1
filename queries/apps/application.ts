import type { ApplicationEvent } from '#events/apps.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Application } from '#mastodon/schemas/application.ts';
import { splitScopes } from '#mastodon/scopes.ts';
import type { ApplicationRow } from '#projections/applications.ts';

const FIND = statement<ApplicationRow>(
  'application_find',
  'select id, name, website, redirect_uris, scopes from applications where id = $1',
);

/** Returns https://docs.joinmastodon.org/entities/Application/; undefined for an unknown application. */
export async function findApplication(
  db: Db,
  id: string,
  vapidPublicKey: string,
): Promise<Application | undefined> {
  const [row] = await db.query(FIND, [id]);
  if (!row) return undefined;
  const { scopes, redirect_uris } = row;
  const data = { ...row, scopes: splitScopes(scopes), redirect_uris: redirect_uris.split('\n') };
  return presentApplication(data, vapidPublicKey);
}

/** Returns an application as its registration describes it. */
export const presentApplication = (
  { id, name, website, scopes, redirect_uris }: ApplicationEvent['data'],
  vapidPublicKey: string,
): Application => ({
  id,
  name,
  website,
  scopes,
  redirect_uris,
  redirect_uri: redirect_uris.join('\n'),
  vapid_key: vapidPublicKey,
});
