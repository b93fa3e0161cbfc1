import { createHash, randomBytes } from 'node:crypto';
import type { Answer, TestServer } from '../support/server.ts';

export const CALLBACK = 'https://app.example/callback';
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

export interface TestApp {
  id: string;
  client_id: string;
  client_secret: string;
}

export interface NewApp {
  client_name?: string;
  redirect_uris?: string | string[];
  scopes?: string;
  website?: string;
}

/** Registers an app over HTTP. */
export async function registerApp(server: TestServer, app: NewApp = {}): Promise<TestApp> {
  const { body } = await server.call('POST', '/api/v1/apps', {
    body: { client_name: 'Test app', redirect_uris: CALLBACK, scopes: 'read write push profile', ...app },
  });
  return body as TestApp;
}

/** The verifier and challenge of RFC 7636. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A browser without scripts: keeps cookies, and fills in forms from the fields of the page. */
export class Browser {
  readonly #server: Pick<TestServer, 'call'>;
  readonly cookies = new Map<string, string>();
  /** Sent with each request. */
  readonly headers: Record<string, string>;
  #page = '';

  constructor(server: Pick<TestServer, 'call'>, headers: Record<string, string> = {}) {
    this.#server = server;
    this.headers = headers;
  }

  async open(path: string): Promise<Answer> {
    return this.#keep(await this.#server.call('GET', path, { headers: this.#headers() }));
  }

  /**
   * Sends the form with this hidden `step`, with these fields added or changed; undefined leaves a field out.
   */
  send(step: string, fields: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.post('/oauth/authorize', {
      ...hiddenFields(this.#page, `name="step" value="${step}"`),
      ...fields,
    });
  }

  /** Does the same with the form that leads to `action`; `holding` chooses among several by a text in the markup. */
  submit(action: string, fields: Record<string, string | undefined> = {}, holding = ''): Promise<Answer> {
    // Buttons outside of their form name its address themselves.
    const page = this.#page.replaceAll('formaction=', 'leads-to=');
    if (!page.includes(`action="${action}"`) && page.includes(`leads-to="${action}"`)) {
      return this.press(action, fields);
    }
    return this.post(action, { ...hiddenFields(page, `action="${action}"`, holding), ...fields });
  }

  /** Presses a button of the page that leads to `action` with the form of the frame. */
  press(action: string, fields: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.post(action, { ...hiddenFields(this.#page, 'id="act"'), ...fields });
  }

  /** Sends a form that no page showed. */
  async post(path: string, fields: Record<string, string | undefined>): Promise<Answer> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
    return this.#keep(await this.#server.call('POST', path, { body, headers: this.#headers() }));
  }

  /** Opens an authorization request, signs in, and stops at the consent page. */
  async signIn(path: string, login: string, password: string): Promise<Answer> {
    await this.open(path);
    const answer = await this.send('sign_in', { login, password });
    return answer.status === 303 ? this.open(locationOf(answer)) : answer;
  }

  /** Returns the header `Cookie` of its requests. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #headers(): Record<string, string> {
    return { ...this.headers, Cookie: this.cookieHeader };
  }

  #keep(answer: Answer): Answer {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    if (typeof answer.body === 'string') this.#page = answer.body;
    return answer;
  }
}

export const locationOf = ({ headers }: Answer): string => headers.get('location') ?? '';

/** Returns the parameters of the redirect to the app. */
export const answerOf = (answer: Answer): Record<string, string> =>
  Object.fromEntries(new URL(locationOf(answer)).searchParams);

export const authorizePath = (app: TestApp, parameters: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: CALLBACK,
    scope: 'read',
    ...parameters,
  }).toString()}`;

/** Returns the hidden fields of the form whose markup contains all of these texts. */
function hiddenFields(page: string, ...texts: string[]): Record<string, string> {
  // Buttons outside of their form have an address of their own.
  const forms = page.replaceAll(' formaction=', '').replaceAll('\nformaction=', '').split('<form');
  const form = forms.find((part) => texts.every((text) => part.includes(text))) ?? '';
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" ?\/?>/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescape(value)]));
}

const unescape = (text: string): string =>
  text.replace(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)));
