import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegistrations } from './process.ts';

/** A reply. `body` is the parsed JSON, or the text when the reply is not JSON. */
export interface Reply {
  status: number;
  headers: Headers;
  // The schemas of replies are checked elsewhere; tests only look at single members.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface SendOptions {
  token?: string | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends one request as a plain HTTP client would. Does not follow redirects. */
export async function send(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: SendOptions = {},
): Promise<Reply> {
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Returns the health report of a server. */
export const healthOf = (url: string): Promise<Reply> =>
  send(url, 'GET', '/health', { headers: { Accept: 'application/json' } });

/** A user's token, and the application it was issued to. */
export interface SignedUp {
  token: string;
  clientId: string;
  clientSecret: string;
}

/**
 * Signs a new user up the way an app does: registers an application, gets its token, creates the account,
 * opens the link in the mail.
 */
export async function signUp(url: string, dataDir: string, username: string): Promise<SignedUp> {
  const app = await expectOk(
    send(url, 'POST', '/api/v1/apps', {
      body: { client_name: 'e2e', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write follow' },
    }),
  );
  const { access_token: appToken } = await expectOk(
    send(url, 'POST', '/oauth/token', {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: app['client_id'] as string,
        client_secret: app['client_secret'] as string,
        scope: 'read write',
      }),
    }),
  );
  const { registrations } = await expectOk(send(url, 'GET', '/api/v1/instance'));
  if (registrations === false) await openRegistrations(dataDir);
  const { access_token: token } = await expectOk(
    send(url, 'POST', '/api/v1/accounts', {
      token: appToken as string,
      body: {
        username,
        email: `${username}@example.org`,
        password: `correct horse ${username}`,
        agreement: true,
        locale: 'en',
      },
    }),
  );
  const link = await confirmationLink(dataDir, `${username}@example.org`);
  await expectOk(send(url, 'GET', `${link.pathname}${link.search}`));
  return {
    token: token as string,
    clientId: app['client_id'] as string,
    clientSecret: app['client_secret'] as string,
  };
}

/** Returns the link in the mail to this address. */
export async function confirmationLink(dataDir: string, address: string): Promise<URL> {
  const folder = join(dataDir, 'mail');
  for (const name of await readdir(folder)) {
    const mail = await readFile(join(folder, name), 'utf8');
    if (!mail.includes(`To: ${address}`)) continue;
    const link = /https?:\/\/\S+confirmation_token=\S+/.exec(withoutSoftBreaks(mail))?.[0];
    if (link !== undefined) return new URL(link);
  }
  throw new Error(`No mail to ${address} in ${folder}`);
}

/** Decodes quoted-printable (RFC 2045, section 6.7), as far as links need it. */
const withoutSoftBreaks = (mail: string): string =>
  /quoted-printable/i.test(mail) ? mail.replaceAll(/=\r?\n/g, '').replaceAll(/=3D/gi, '=') : mail;

async function expectOk(reply: Promise<Reply>): Promise<Record<string, unknown>> {
  const { status, body } = await reply;
  if (status >= 400) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}
