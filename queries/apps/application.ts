import type { ApplicationRow } from '../../projections/applications.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import type { Application } from '../entities/schemas/application.ts';

const FIND = statement(
  'application_find',
  'select id, name, website, redirect_uris, scopes from applications where id = $1',
);

/** https://docs.joinmastodon.org/entities/Application/; undefined when there is no such application. */
export async function findApplication(
  db: Db,
  id: string,
  vapidPublicKey: string,
): Promise<Application | undefined> {
  const [row] = await db.query<ApplicationRow>(FIND, [id]);
  return row && presentApplication(row, vapidPublicKey);
}

function presentApplication(row: ApplicationRow, vapidPublicKey: string): Application {
  return {
    id: row.id,
    name: row.name,
    website: row.website,
    scopes: row.scopes.split(' '),
    redirect_uris: row.redirect_uris.split('\n'),
    redirect_uri: row.redirect_uris,
    vapid_key: vapidPublicKey,
  };
}
