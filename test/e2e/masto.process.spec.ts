import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createOAuthAPIClient, createRestAPIClient, type mastodon } from 'masto';
import sharp from 'sharp';
import { confirmationLink, type Reply, send } from '../support/api-client.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const REDIRECT = 'https://app.example/callback';
const SCOPES = 'read write follow';
const password = (username: string): string => `correct horse ${username}`;

describe('An app that uses the npm package masto', function () {
  this.timeout(60_000);
  let settings: Settings;
  let rookery: RookeryProcess;
  let app: mastodon.v1.Client;
  let alice: mastodon.rest.Client;
  let bob: mastodon.rest.Client;
  let aliceId: string;
  let bobId: string;

  before(async () => {
    settings = await freshSettings();
    rookery = await startRookery(settings);
  });
  after(async () => {
    await rookery.end();
    await discard(settings);
  });

  it('registers itself and gets an application token', async () => {
    app = await createRestAPIClient({ url: rookery.url }).v1.apps.create({
      clientName: 'masto specs',
      redirectUris: REDIRECT,
      scopes: SCOPES,
      website: 'https://app.example',
    });
    const verified = await createRestAPIClient({
      url: rookery.url,
      accessToken: await appToken(),
    }).v1.apps.verifyCredentials();
    expect(verified.name).to.equal('masto specs');
  });

  it('signs a user up, who can act after opening the link in the mail', async () => {
    const accessToken = await appToken();
    const anonymous = createRestAPIClient({ url: rookery.url, accessToken });
    const token = await anonymous.v1.accounts.create({
      username: 'alice',
      email: 'alice@example.org',
      password: password('alice'),
      agreement: true,
      locale: 'en',
    });
    const early = createRestAPIClient({ url: rookery.url, accessToken: token.accessToken });
    expect(await failure(early.v1.statuses.create({ status: 'too early' }))).to.equal(403);

    const link = await confirmationLink(settings['DATA_DIR'] ?? '', 'alice@example.org');
    expect(link.origin).to.equal(rookery.url);
    const opened = await open(link);
    expect([opened.status, opened.headers.get('location')]).to.deep.equal([303, REDIRECT]);
    const me = await early.v1.accounts.verifyCredentials();
    expect(me.username).to.equal('alice');
    aliceId = me.id;
  });

  it('sends its user through the pages and exchanges the code for a token, with PKCE', async () => {
    alice = createRestAPIClient({ url: rookery.url, accessToken: await authorize('alice') });
    const me = await alice.v1.accounts.verifyCredentials();
    expect(me.id).to.equal(aliceId);
    expect(me.source.privacy).to.equal('public');
  });

  it('gets no token for a code without its verifier, nor for a used code', async () => {
    const { code, verifier } = await codeFor('alice');
    expect((await trade(code, randomBytes(32).toString('base64url'))).status).to.equal(400);
    const fresh = await codeFor('alice');
    expect((await trade(fresh.code, fresh.verifier)).status).to.equal(200);
    expect((await trade(fresh.code, fresh.verifier)).status).to.equal(400);
    expect(verifier).not.to.equal(fresh.verifier);
  });

  it("gets nothing for a form with another page's CSRF token", async () => {
    const browser = new Browser(rookery.url);
    const form = browser.form(await browser.get(authorizePath('x'.repeat(43))));
    form.set('csrf_token', randomBytes(32).toString('base64url'));
    form.set('login', 'alice');
    form.set('password', password('alice'));
    expect((await browser.post(form)).status).to.equal(403);
  });

  it('posts, follows, and reads all timelines', async () => {
    await signUpBob();
    const posted = await bob.v1.statuses.create({ status: 'Hello #Rookery from bob' });
    const before = await alice.v1.timelines.home.list();
    expect(before.map(({ id }) => id)).not.to.include(posted.id);

    const relationship = await alice.v1.accounts.$select(bobId).follow();
    expect(relationship.following).to.equal(true);
    const [seen] = await alice.v1.accounts.relationships.fetch({ id: [bobId] });
    expect(seen).to.include({ id: bobId, following: true, followedBy: false });
    const [back] = await bob.v1.accounts.relationships.fetch({ id: [aliceId] });
    expect(back).to.include({ id: aliceId, following: false, followedBy: true });

    const second = await bob.v1.statuses.create({ status: 'for my followers', visibility: 'private' });
    // Bob's read waits for the read models, so Alice's read afterwards sees the post too.
    expect((await bob.v1.timelines.home.list())[0]?.id).to.equal(second.id);
    const home = await alice.v1.timelines.home.list();
    expect(home.map(({ id }) => id)).to.include.members([posted.id, second.id]);
    const everybody = createRestAPIClient({ url: rookery.url });
    const ids = async (list: PromiseLike<mastodon.v1.Status[]>) => (await list).map(({ id }) => id);
    expect(await ids(everybody.v1.timelines.public.list())).to.deep.equal([posted.id]);
    expect(await ids(everybody.v1.timelines.tag.$select('rookery').list())).to.deep.equal([posted.id]);
  });

  it('changes the profile, including its picture', async () => {
    const png = await sharp({
      create: { width: 500, height: 300, channels: 3, background: { r: 200, g: 30, b: 90 } },
    })
      .png()
      .toBuffer();
    const me = await alice.v1.accounts.updateCredentials({
      displayName: 'Alice in Rookery',
      note: 'I like #chess',
      avatar: new Blob([new Uint8Array(png)], { type: 'image/png' }),
      fieldsAttributes: [{ name: 'Site', value: 'https://alice.example' }] as mastodon.v1.AccountField[],
    });
    expect(me.displayName).to.equal('Alice in Rookery');
    expect(me.note).to.contain('chess');
    expect(me.fields[0]?.name).to.equal('Site');
    expect(new URL(me.avatar).origin).to.equal(rookery.url);
    const shown = await createRestAPIClient({ url: rookery.url }).v1.accounts.$select(aliceId).fetch();
    expect(shown.avatar).to.equal(me.avatar);
    const picture = await fetch(me.avatar);
    expect(picture.status).to.equal(200);
    const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
    expect(width).to.equal(height);
  });

  it('shows a conversation, and deletes a post', async () => {
    const root = await alice.v1.statuses.create({ status: 'A question for @bob' });
    const answer = await bob.v1.statuses.create({ status: '@alice An answer', inReplyToId: root.id });
    const { ancestors, descendants } = await alice.v1.statuses.$select(answer.id).context.fetch();
    expect(ancestors.map(({ id }) => id)).to.deep.equal([root.id]);
    expect(descendants).to.deep.equal([]);
    const removed = await alice.v1.statuses.$select(root.id).remove();
    expect(removed.text).to.equal('A question for @bob');
    expect(await failure(bob.v1.statuses.$select(root.id).fetch())).to.equal(404);
    const { inReplyToId, inReplyToAccountId } = await bob.v1.statuses.$select(answer.id).fetch();
    expect([inReplyToId, inReplyToAccountId]).to.deep.equal([null, aliceId]);
  });

  it('walks through all pages by their links', async () => {
    const made: string[] = [];
    for (let n = 0; n < 12; n += 1) made.push((await alice.v1.statuses.create({ status: `post ${n}` })).id);
    const seen: string[] = [];
    for await (const page of alice.v1.accounts.$select(aliceId).statuses.list({ limit: 5 })) {
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).to.deep.equal(made.toReversed());
  });

  it('leaves read models equal to a rebuild', async () => {
    expect(await differences(settings)).to.deep.equal([]);
  });

  const appToken = async (): Promise<string> => {
    const { accessToken } = await createOAuthAPIClient({ url: rookery.url }).token.create({
      grantType: 'client_credentials',
      clientId: app.clientId ?? '',
      clientSecret: app.clientSecret ?? '',
      redirectUri: REDIRECT,
      scope: SCOPES,
    });
    return accessToken;
  };

  async function signUpBob(): Promise<void> {
    const anonymous = createRestAPIClient({ url: rookery.url, accessToken: await appToken() });
    await anonymous.v1.accounts.create({
      username: 'bob',
      email: 'bob@example.org',
      password: password('bob'),
      agreement: true,
      locale: 'en',
    });
    await open(await confirmationLink(settings['DATA_DIR'] ?? '', 'bob@example.org'));
    bob = createRestAPIClient({ url: rookery.url, accessToken: await authorize('bob') });
    bobId = (await bob.v1.accounts.verifyCredentials()).id;
  }

  const open = (link: URL): Promise<Reply> => send(link.origin, 'GET', `${link.pathname}${link.search}`);

  const authorizePath = (challenge: string): string =>
    `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId ?? '',
      redirect_uri: REDIRECT,
      scope: SCOPES,
      state: 'kept as it is & more',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }).toString()}`;

  async function codeFor(username: string): Promise<{ code: string; verifier: string }> {
    const verifier = randomBytes(32).toString('base64url');
    const browser = new Browser(rookery.url);
    const path = authorizePath(createHash('sha256').update(verifier).digest('base64url'));
    const signIn = browser.form(await browser.get(path));
    signIn.set('login', `${username}@example.org`);
    signIn.set('password', password(username));
    const signedIn = await browser.post(signIn);
    expect(signedIn.status).to.equal(303);
    const consent = browser.form(await browser.get(signedIn.headers.get('location') ?? ''));
    consent.set('decision', 'approve');
    const agreed = await browser.post(consent);
    const target = new URL(agreed.headers.get('location') ?? '');
    expect(`${target.origin}${target.pathname}`).to.equal(REDIRECT);
    expect(target.searchParams.get('state')).to.equal('kept as it is & more');
    return { code: target.searchParams.get('code') ?? '', verifier };
  }

  const trade = (code: string, verifier: string): Promise<Reply> =>
    send(rookery.url, 'POST', '/oauth/token', {
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app.clientId ?? '',
        client_secret: app.clientSecret ?? '',
        redirect_uri: REDIRECT,
        code,
        code_verifier: verifier,
      }),
    });

  async function authorize(username: string): Promise<string> {
    const { code, verifier } = await codeFor(username);
    return (await trade(code, verifier)).body.access_token as string;
  }
});

/** A minimal browser: cookies, and forms with their hidden fields. */
class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get = (path: string): Promise<Reply> => this.#request('GET', path);
  post = (form: URLSearchParams): Promise<Reply> => this.#request('POST', '/oauth/authorize', form);

  /** Returns the hidden fields of the page's first form. */
  form({ body }: Reply): URLSearchParams {
    const [form = ''] = /<form[\s\S]*?<\/form>/.exec(body as string) ?? [];
    const hidden = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return new URLSearchParams(
      [...hidden].map(([, name = '', value = '']): [string, string] => [name, unescapeHtml(value)]),
    );
  }

  async #request(method: string, path: string, body?: URLSearchParams): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await send(this.#url, method, path, {
      ...(body ? { body } : {}),
      headers: cookie === '' ? {} : { Cookie: cookie },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return reply;
  }
}

const unescapeHtml = (text: string): string =>
  text.replaceAll(/&#([0-9]+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

/** Returns the status of the refusal, or undefined when the call succeeded. */
async function failure(call: PromiseLike<unknown>): Promise<number | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as { statusCode?: number }).statusCode;
  }
}
