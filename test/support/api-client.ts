import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A reply as it came; `body` is parsed where it is JSON, else text. */
export interface Reply {
  status: number;
  headers: Headers;
  // Tests look at single members of replies whose schemas others check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface SendOptions {
  token?: string | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request to a server, as a client without any library makes it. Redirects are not followed. */
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

/** Asks a server for its health as JSON. */
export const healthOf = (url: string): Promise<Reply> =>
  send(url, 'GET', '/health', { headers: { Accept: 'application/json' } });

/** Somebody's token, and the application that it was issued to. */
export interface SignedUp {
  token: string;
  clientId: string;
  clientSecret: string;
}

/** Signs up as an app does for a new user: application, its token, account, and the link of the mail. */
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

/** The link in the mail that was written for this address. */
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

/** Quoted-printable, as far as links need it: RFC 2045 section 6.7. */
const withoutSoftBreaks = (mail: string): string =>
  /quoted-printable/i.test(mail) ? mail.replaceAll(/=\r?\n/g, '').replaceAll(/=3D/gi, '=') : mail;

async function expectOk(reply: Promise<Reply>): Promise<Record<string, unknown>> {
  const { status, body } = await reply;
  if (status >= 400) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}
