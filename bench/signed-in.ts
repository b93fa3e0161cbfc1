import { createSessions } from '#interfaces/oauth/sessions.ts';
import { call } from './client.ts';
import type { Site } from './site.ts';

/** Signs a browser in. */
export async function cookieOf({ app }: Pick<Site, 'app'>, accountId: string): Promise<string> {
  const https = app.instance.origin.startsWith('https:');
  const sessions = createSessions(app.db, { secret: app.keys.secret, https });
  const { setCookies = [] } = await sessions.signIn({ id: '', accountId: undefined }, accountId);
  return setCookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

type TokenOf = (accountId: string) => Promise<string>;

/** Registers an app. @returns its tokens for any account */
export async function tokensFor({ url, app }: Pick<Site, 'url' | 'app'>, scopes: string[]): Promise<TokenOf> {
  const application = JSON.parse(
    await call(`${url}/api/v1/apps`, undefined, {
      client_name: 'bench',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      scopes: scopes.join(' '),
    }),
  ) as { id: string };
  return async (accountId) => {
    const issued = await app.tokens.issue({ applicationId: application.id, accountId, scopes });
    return issued.access_token;
  };
}

export interface Asked {
  url: string;
  headers: Record<string, string>;
}

/** Returns the body of a reply. @throws for any other status than 200, such as a redirect to the sign-in page */
export async function pageOf({ url, headers }: Asked): Promise<string> {
  const response = await fetch(url, { headers, redirect: 'manual' });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 300)}`);
  return body;
}
