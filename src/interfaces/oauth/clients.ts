import { timingSafeEqual } from 'node:crypto';
import { isId } from '#kernel/ids.ts';
import { type Db, despite, statement } from '#kernel/read.ts';
import type { ApplicationRegistration } from '#kernel/services/credentials.ts';
import { splitScopes } from '#mastodon/scopes.ts';
import { hashSecret } from './secrets.ts';

/** An application as OAuth sees it. The client id is the application's id. */
export interface OAuthClient {
  id: string;
  name: string;
  website: string | null;
  redirectUris: string[];
  scopes: string[];
}

/** For apps without an address: the user copies the code. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

/** Applications never change. */
const FIND = despite(
  ['applications'],
  statement<Row>(
    'oauth_client',
    `select s.application_id as id, a.name, a.website, a.redirect_uris, a.scopes, s.secret_hash,
     s.registration::text as registration
   from durable.application_secrets s left join applications a on a.id = s.application_id
   where s.application_id = $1 and (a.id is not null or s.registration is not null)`,
  ),
);

interface Row {
  id: string;
  name: string;
  website: string | null;
  redirect_uris: string;
  scopes: string;
  secret_hash: Buffer;
  /** JSON of an application without a token, which is in no read model. */
  registration: string | null;
}

export async function findClient(db: Db, clientId: string): Promise<OAuthClient | undefined> {
  const row = await findRow(db, clientId);
  return row && toClient(row);
}

/** Returns the client if the secret is correct. All clients are confidential, as in Mastodon. */
export async function authenticateClient(
  db: Db,
  clientId: string,
  secret: string,
): Promise<OAuthClient | undefined> {
  const row = await findRow(db, clientId);
  return row && timingSafeEqual(row.secret_hash, hashSecret(secret)) ? toClient(row) : undefined;
}

/**
 * Returns true for a redirect URI that the client registered, compared exactly. Only the port of a loopback
 * address may differ, which native apps choose anew each time (RFC 8252 section 7.3).
 */
export function allowsRedirect({ redirectUris }: OAuthClient, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  const portless = withoutLoopbackPort(uri);
  return portless !== undefined && redirectUris.some((own) => withoutLoopbackPort(own) === portless);
}

const withoutLoopbackPort = (uri: string): string | undefined => {
  const [, before, after] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?([/?].*)?$/.exec(uri) ?? [];
  // A port above 65535 is invalid.
  return before === undefined || !URL.canParse(uri) ? undefined : `${before}${after ?? ''}`;
};

async function findRow(db: Db, clientId: string): Promise<Row | undefined> {
  if (!isId(clientId)) return undefined;
  const [row] = await db.query<Row>(FIND, [clientId]);
  return row;
}

const toClient = (row: Row): OAuthClient => {
  if (row.registration === null) return known(row);
  const { id, name, website, redirect_uris, scopes } = JSON.parse(
    row.registration,
  ) as ApplicationRegistration;
  return { id, name, website, redirectUris: redirect_uris, scopes };
};

const known = (row: Row): OAuthClient => ({
  id: row.id,
  name: row.name,
  website: row.website,
  redirectUris: row.redirect_uris.split('\n'),
  scopes: splitScopes(row.scopes),
});
