import { createHash, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { type UserDomainBlockEvent, userDomainBlockStream } from '#events/domain-blocks.ts';
import { requestSigner } from '#interfaces/federation/signatures/sign.ts';
import { ACTIVITY_JSON, ask, type Peer, PUBLIC_KEY, type SignOptions, startPeer } from '../support/peer.ts';
import { letFollow, suspendAccount } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const ORIGIN = 'http://rookery.example';

describe('HTTP signatures', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let stranger: Peer;
  let alice: TestUser;
  let fan: string;
  /** The path of a followers-only post. */
  let path: string;
  let absent: { status: number; body: string };

  before(async function () {
    this.timeout(120_000);
    [server, peer, stranger] = await Promise.all([
      startTestServer({ LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }),
      startPeer(),
      startPeer(),
    ]);
    alice = await server.user('alice');
    peer.actor('fan');
    peer.actor('other');
    peer.actor('instance', { type: 'Application', preferredUsername: peer.host });
    stranger.actor('eve');
    const found = await server.app.contextDependencies.services.resolver.resolve(`fan@${peer.host}`);
    fan = found?.account ?? '';
    await letFollow(server.app, fan, alice.id);
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'For followers', visibility: 'private' },
    });
    path = (body as { uri: string }).uri.slice(ORIGIN.length);
    absent = await ask(server.url, '/users/alice/statuses/1', {
      host: 'rookery.example',
      accept: 'application/activity+json',
    });
  });
  after(() => Promise.all([server.close(), peer.close(), stranger.close()]));

  const signed = (name: string, options: SignOptions = {}, by = peer): Promise<Record<string, string>> =>
    by.sign(name, `${ORIGIN}${path}`, options);
  const get = (headers: Record<string, string | string[]>, where = path, method = 'GET') =>
    ask(server.url, where, headers, method);
  const expectHidden = (answer: { status: number; body: string }, why: string): void => {
    expect(answer.status, why).equal(404);
    expect(answer.body, why).equal(absent.body);
  };

  for (const spec of ['draft-cavage-http-signatures-12', 'rfc9421'] as const) {
    describe(spec, () => {
      it('shows a followers-only post to a follower', async () => {
        const answer = await get(await signed('fan', { spec }));
        expect(answer.status).equal(200);
        const note = JSON.parse(answer.body) as Record<string, unknown>;
        expect(note).deep.include({ to: [`${ORIGIN}/users/alice/followers`], cc: [] });
      });

      it('hides a followers-only post from all other accounts, also those of the server of a follower', async () => {
        expectHidden(
          await get(await signed('other', { spec })),
          'another account of the server of a follower',
        );
        expectHidden(await get(await signed('instance', { spec })), 'the actor of the server of a follower');
        expectHidden(await get(await signed('eve', { spec }, stranger)), 'a server without followers');
        const borrowed = await signed(
          'eve',
          { spec, keyId: `${stranger.origin}/users/nobody#main-key` },
          stranger,
        );
        expectHidden(await get(borrowed), 'a missing key');
      });

      it('refuses a request that changed after it was signed', async () => {
        const headers = await signed('fan', { spec });
        expect((await get(headers)).status).equal(200);
        const names = spec === 'rfc9421' ? ['signature-input', 'signature', 'date'] : ['signature', 'date'];
        for (const name of names) {
          const value = headers[name] ?? '';
          expect(value).not.equal('');
          const without = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
          expectHidden(await get(without), `without ${name}`);
          expectHidden(await get({ ...headers, [name]: [value, value] }), `${name} twice`);
        }
        for (const [why, changed] of Object.entries(mutants(headers, spec))) {
          expectHidden(await get(changed), why);
        }
        const elsewhere = await get({ ...headers, host: 'other.example' });
        expectHidden(elsewhere, 'another host');
        expectHidden(await get(headers, `${path}/activity`), 'another path');
      });

      it('is valid from 65 minutes before to 60 minutes after its date', async () => {
        const asked = async (minutes: number) =>
          get(await signed('fan', { spec, at: new Date(Date.now() + minutes * 60_000) }));
        for (const minutes of [-66, 61]) expectHidden(await asked(minutes), `${minutes} minutes`);
        for (const minutes of [-64, 59])
          expect((await asked(minutes)).status, `${minutes} minutes`).equal(200);
      });
    });
  }

  it('show a direct post to the mentioned account, and to no other account of its server', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: `@fan@${peer.host} for you`, visibility: 'direct' },
    });
    const direct = (body as { uri: string }).uri.slice(ORIGIN.length);
    const as = async (name: string, by = peer) => get(await by.sign(name, `${ORIGIN}${direct}`, {}), direct);
    const answer = await as('fan');
    expect(answer.status).equal(200);
    expect(JSON.parse(answer.body)).deep.include({ to: [`${peer.origin}/users/fan`], cc: [] });
    expectHidden(await as('other'), 'another account of its server');
    expectHidden(await as('eve', stranger), 'a stranger');
    expectHidden(
      await get({ host: 'rookery.example', accept: ACTIVITY_JSON }, direct),
      'without a signature',
    );
  });

  describe('draft-cavage-http-signatures-12 with hand-made signatures', () => {
    const now = (): number => Math.floor(Date.now() / 1_000);
    /** A GET by the fan's server whose signature covers these lines, in this order. */
    const byHand = (
      covered: Record<string, string>,
      { headers = {}, parameters = [] }: { headers?: Record<string, string>; parameters?: string[] } = {},
    ): Record<string, string> => ({
      accept: 'application/activity+json',
      host: 'rookery.example',
      ...headers,
      signature: peer.signText('fan', covered, parameters),
    });
    const covering = (more: Record<string, string>, where = path): Record<string, string> => ({
      '(request-target)': `get ${where}`,
      host: 'rookery.example',
      ...more,
    });
    const created = (at: number, more: string[] = [], algorithm = 'algorithm="hs2019"') =>
      byHand(covering({ '(created)': String(at) }), { parameters: [algorithm, `created=${at}`, ...more] });

    it('accepts (created) and (expires) only when they are consistent and in time', async () => {
      expect((await get(created(now()))).status, 'created').equal(200);
      expect((await get(created(now(), [`expires=${now() + 60}`]))).status, 'not over').equal(200);
      const until = now() + 60;
      const both = byHand(covering({ '(created)': String(now()), '(expires)': String(until) }), {
        parameters: ['algorithm="hs2019"', `created=${now()}`, `expires=${until}`],
      });
      expect((await get(both)).status, 'both are covered').equal(200);
      const refused: Record<string, Record<string, string>> = {
        'long ago': created(now() - 5_400),
        'in the future': created(now() + 5_400),
        over: created(now() - 60, [`expires=${now() - 30}`]),
        'with an algorithm that has no such thing': created(now(), [], 'algorithm="rsa-sha256"'),
        'no moment': byHand(covering({ '(created)': '' }), { parameters: ['algorithm="hs2019"'] }),
        'no number': byHand(covering({ '(created)': 'now' }), {
          parameters: ['algorithm="hs2019"', 'created="now"'],
        }),
        'another moment than what is covered': byHand(covering({ '(created)': String(now()) }), {
          parameters: ['algorithm="hs2019"', `created=${now() + 1}`],
        }),
        'a moment that is not covered': byHand(covering({}), {
          parameters: ['algorithm="hs2019"', `created=${now()}`],
        }),
        'something else of that kind': byHand(covering({ '(created)': String(now()), '(nonce)': '1' }), {
          parameters: ['algorithm="hs2019"', `created=${now()}`],
        }),
      };
      for (const [why, headers] of Object.entries(refused)) expectHidden(await get(headers), why);
    });

    it('accepts a request target with the query or without it', async () => {
      const date = new Date().toUTCString();
      const asked = `${path}?page=2&a=b`;
      for (const where of [asked, path]) {
        const headers = byHand(covering({ date }, where), { headers: { date } });
        expect((await get(headers, asked)).status, where).equal(200);
      }
      for (const where of [`${path}?page=3`, `${path}?`, `${path}/activity`]) {
        expectHidden(await get(byHand(covering({ date }, where), { headers: { date } }), asked), where);
      }
    });
  });

  describe('made by this server', () => {
    const resolve = (query: string) => server.app.contextDependencies.services.resolver.resolve(query);
    /** Did this server sign the request for this target? */
    const isSignedFor = (target: string, headers: Record<string, unknown>): boolean => {
      const [, names = '', signature = ''] =
        /headers="([^"]+)".*signature="([^"]+)"/.exec(String(headers['signature'])) ?? [];
      const text = names
        .split(' ')
        .map((name) => `${name}: ${name === '(request-target)' ? target : String(headers[name])}`);
      const key = createPublicKey(server.app.keys.instance.publicKey);
      return createVerify('sha256').update(text.join('\n')).verify(key, signature, 'base64');
    };

    it('use the key of the server', async () => {
      peer.actor('signed');
      await resolve(`signed@${peer.host}`);
      const { headers = {} } = peer.asked.findLast(({ path }) => path === '/users/signed') ?? {};
      const [, keyId, names] = /keyId="([^"]+)".*headers="([^"]+)"/.exec(String(headers['signature'])) ?? [];
      expect(keyId).equal('http://rookery.example/actor#main-key');
      expect(headers.host).equal(peer.host);
      expect(names).contain('host').contain('date').contain('(request-target)');
      expect(isSignedFor('get /users/signed', headers)).equal(true);
    });

    it('leave the query out when a signature with the query is refused', async () => {
      peer.actor('paged');
      const targets = ['get /notes/paged?page=1', 'get /notes/paged'];
      const tried: (string | undefined)[] = [];
      const uri = `${peer.note('paged', 'paged')}?page=1`;
      const note = {
        id: uri,
        type: 'Note',
        attributedTo: `${peer.origin}/users/paged`,
        content: 'One',
        published: '2026-11-20T08:00:00Z',
        to: ['https://www.w3.org/ns/activitystreams#Public'],
      };
      peer.put('/notes/paged', (req, res) => {
        const target = targets.find((one) => isSignedFor(one, req.headers));
        tried.push(target);
        if (target === targets[1]) res.type(ACTIVITY_JSON).send(JSON.stringify(note));
        else res.status(401).end();
      });
      expect(await resolve(uri)).to.have.property('status');
      // The attempt between them is signed by RFC 9421.
      expect(tried).deep.equal([targets[0], undefined, targets[1]]);
      peer.put('/notes/closed', (_req, res) => void res.status(401).end());
      expect(await resolve(`${peer.origin}/notes/closed`)).equal(undefined);
      // The host has refused RFC 9421 within the hour, so only the draft is tried.
      expect(peer.asked.filter(({ path }) => path === '/notes/closed')).length(1);
    });

    it('use RFC 9421 when the draft is refused, and start with it afterwards', async () => {
      const modern = await startPeer();
      after(() => modern.close());
      const tried: string[] = [];
      const strict = (document: object) => (req: Request, res: Response) => {
        const isModern = isSignedByRfc9421(req, modern.origin);
        tried.push(`${req.url} ${isModern ? 'rfc9421' : 'other'}`);
        if (!isModern) res.status(401).end();
        else res.type(ACTIVITY_JSON).send(JSON.stringify(document));
      };
      modern.actor('modern');
      const uri = modern.note('modern', 'first');
      const note = (id: string) => ({
        id,
        type: 'Note',
        attributedTo: `${modern.origin}/users/modern`,
        content: 'One',
        published: '2026-11-20T08:00:00Z',
        to: ['https://www.w3.org/ns/activitystreams#Public'],
      });
      modern.put('/notes/first', strict(note(uri)));
      expect(await resolve(uri)).to.have.property('status');
      expect(tried.splice(0)).deep.equal(['/notes/first other', '/notes/first rfc9421']);
      const second = `${modern.origin}/notes/second`;
      modern.put('/notes/second', strict(note(second)));
      expect(await resolve(second)).to.have.property('status');
      expect(tried).deep.equal(['/notes/second rfc9421']);
    });

    it('cover the method, the target and the digest of an activity by RFC 9421', async () => {
      const sign = requestSigner({
        keyId: 'http://rookery.example/actor#main-key',
        privateKey: server.app.keys.instance.privateKey,
      });
      const body = '{"type":"Like"}';
      const url = new URL(`${peer.origin}/inbox?x=1`);
      const headers = await sign(url, { 'content-type': ACTIVITY_JSON }, body, 'rfc9421');
      expect(headers['content-digest']).equal(
        `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      );
      expect(isSignedByRfc9421({ method: 'POST', url: '/inbox?x=1', headers }, peer.origin)).equal(true);
      expect(isSignedByRfc9421({ method: 'POST', url: '/inbox', headers }, peer.origin)).equal(false);
    });

    function isSignedByRfc9421(
      { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
      origin: string,
    ): boolean {
      const [, parameters = '', names = ''] =
        /^sig1=(\(([^)]*)\);created=[0-9]+;keyid="[^"]+";alg="rsa-v1_5-sha256")$/.exec(
          String(headers['signature-input']),
        ) ?? [];
      const [, signature = ''] = /^sig1=:(.+):$/.exec(String(headers['signature'])) ?? [];
      const derived: Record<string, string> = {
        '@method': method,
        '@target-uri': `${origin}${url}`,
        '@authority': new URL(origin).host,
      };
      const covered = names.split(' ').map((name) => name.slice(1, -1));
      if (!['@method', '@target-uri'].every((name) => covered.includes(name))) return false;
      if (method === 'POST' && !covered.includes('content-digest')) return false;
      const lines = covered.map((name) => `"${name}": ${derived[name] ?? String(headers[name])}`);
      const text = [...lines, `"@signature-params": ${parameters}`].join('\n');
      const key = createPublicKey(server.app.keys.instance.publicKey);
      return createVerify('sha256').update(text).verify(key, signature, 'base64');
    }
  });

  // This block is last, because its accounts stay blocked.
  describe('in either scheme', () => {
    /** Makes an account a follower of the author. Returns its id. */
    const following = async (uri: string): Promise<string> => {
      const found = await server.app.contextDependencies.services.resolver.resolve(uri);
      const id = found?.account ?? '';
      await letFollow(server.app, id, alice.id);
      return id;
    };

    it('do not count with a key that another document claims for the actor', async () => {
      // A document of another server that claims to hold the fan's key.
      const keyId = stranger.put('/users/liar', {
        id: `${peer.origin}/users/fan`,
        type: 'Person',
        preferredUsername: 'fan',
        inbox: 'x',
        publicKey: {
          id: `${stranger.origin}/users/liar#main-key`,
          owner: `${peer.origin}/users/fan`,
          publicKeyPem: PUBLIC_KEY,
        },
      });
      expectHidden(
        await get(await signed('x', { keyId: `${keyId}#main-key` })),
        'an actor of another origin',
      );
      // A key document that its owner does not name.
      const loose = stranger.put('/key', {
        id: `${stranger.origin}/key`,
        type: 'Key',
        owner: `${peer.origin}/users/fan`,
        publicKeyPem: PUBLIC_KEY,
      });
      expectHidden(await get(await signed('x', { keyId: loose })), 'a key of another origin');
      const own = peer.put('/loose', {
        id: `${peer.origin}/loose`,
        owner: `${peer.origin}/users/fan`,
        publicKeyPem: PUBLIC_KEY,
      });
      expectHidden(await get(await signed('x', { keyId: own })), 'a key that its owner does not name');
      // A file that a user of the fan's server uploaded.
      const id = `${peer.origin}/media/evil.json`;
      const upload = {
        id,
        type: 'Person',
        preferredUsername: 'evil',
        inbox: id,
        publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: PUBLIC_KEY },
      };
      peer.finger('evil', {
        subject: `acct:evil@${peer.host}`,
        links: [{ rel: 'self', type: ACTIVITY_JSON, href: id }],
      });
      await following(peer.put('/media/evil.json', upload));
      peer.put('/media/evil.json', upload, 'application/json');
      expectHidden(await get(await signed('x', { keyId: `${id}#main-key` })), 'an upload');
      const actor = peer.actor('good');
      await following(actor);
      expect((await get(await signed('good', { keyId: `${actor}#main-key` }))).status).equal(200);
    });

    it('require a key of more than 1024 bits', async () => {
      const { publicKey: publicKeyPem } = generateKeyPairSync('rsa', {
        modulusLength: 1024,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      const uri = `${peer.origin}/users/weak`;
      peer.actor('weak', { publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem } });
      await following(uri);
      expectHidden(await get(await signed('weak')), 'a key of 1024 bits');
    });

    it('give access to nothing for accounts suspended here', async () => {
      const id = await following(peer.actor('bad'));
      const headers = await signed('bad');
      expect((await get(headers)).status).equal(200);
      await suspendAccount(server.app, id);
      expectHidden(await get(headers), 'a suspended account');
    });

    it('give access to nothing, not even public posts, for accounts and servers that the author blocks', async () => {
      const { body } = await server.call('POST', '/api/v1/statuses', {
        token: alice.token,
        body: { status: 'For all' },
      });
      const { uri } = body as { uri: string };
      const open = uri.slice(ORIGIN.length);
      const headers = await peer.sign('fan', uri);
      expect((await get(headers, open)).status).equal(200);
      await server.call('POST', `/api/v1/accounts/${fan}/block`, { token: alice.token });
      await server.waitUntilIdle();
      expectHidden(await get(headers, open), 'a blocked account');
      expect((await get(await peer.sign('other', uri), open)).status).equal(200);
      expect((await get(await signed('good'))).status, 'a follower of the same server').equal(200);
      const ctx = server.app.systemContext('spec');
      const data = { id: ctx.newId(), account_id: alice.id, domain: peer.host };
      await ctx.execute(
        userDomainBlockStream(alice.id, peer.host),
        { initialState: null, evolve: () => null },
        (): UserDomainBlockEvent[] => [{ type: 'UserDomainBlocked', data }],
      );
      await server.waitUntilIdle();
      expectHidden(await get(await peer.sign('other', uri), open), 'a blocked server');
      expectHidden(await get(await signed('good')), 'a follower of a blocked server');
      expect(
        (await get({ host: 'rookery.example', accept: 'application/activity+json' }, open)).status,
      ).equal(200);
    });
  });
});

/** Changes one thing at a time in a signature or in what it covers (CVE-2026-28432). */
function mutants(
  headers: Record<string, string>,
  spec: SignOptions['spec'],
): Record<string, Record<string, string>> {
  const { signature = '', 'signature-input': input = '' } = headers;
  const flipped = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  const made = new Map<string, Record<string, string>>();
  const bytes = spec === 'rfc9421' ? signature.indexOf(':') + 1 : signature.indexOf('signature="') + 11;
  for (let offset = 0; offset < 300; offset += 60) {
    made.set(`a changed byte ${offset}`, { ...headers, signature: flipped(signature, bytes + offset) });
  }
  made.set('another date', { ...headers, date: new Date(Date.now() + 5_000).toUTCString() });
  if (spec === 'rfc9421') {
    const changed: Record<string, string> = {
      'covers no method': input.replace('"@method" ', ''),
      'covers no target': input.replace('"@target-uri" ', ''),
      'covers nothing': input.replace(/\(.*?\)/, '()'),
      'covers something twice': input.replace('"@method"', '"@method" "@method"'),
      'another moment': input.replace(/created=\d+/, (text) => `created=${Number(text.slice(8)) + 1}`),
      'no moment': input.replace(/;created=\d+/, ''),
      'another algorithm': input.replace('rsa-v1_5-sha256', 'rsa-v1_5-sha512'),
      'two signatures': `${input}, x=("date");keyid="x";created=1`,
      'over by now': `${input};expires=1`,
      'a parameter twice': `${input};created=1`,
      'another label': input.replace(/^\w+=/, 'other='),
    };
    for (const [why, text] of Object.entries(changed)) made.set(why, { ...headers, 'signature-input': text });
  } else {
    const changed: Record<string, string> = {
      'covers no target': signature.replace('(request-target) ', ''),
      'covers no date': signature.replace(/ date(?=["\s])/, ''),
      'covers no host': signature.replace(/ host(?=["\s])/, ''),
      'covers nothing': signature.replace(/headers="[^"]*"/, 'headers=""'),
      'does not say what it covers': signature.replace(/headers="[^"]*",/, ''),
      'a header twice': signature.replace('headers="', 'headers="date '),
      'another algorithm': signature.replace('rsa-sha256', 'hmac-sha256'),
      'a parameter twice': `${signature},keyId="https://far.example/key"`,
      'a parameter twice, first': `keyId="https://far.example/key",${signature}`,
      'an unknown parameter': `${signature},extra="1"`,
      'over by now': `${signature},expires=1`,
      'loose ends': `${signature} x`,
    };
    for (const [why, text] of Object.entries(changed)) made.set(why, { ...headers, signature: text });
  }
  return Object.fromEntries(made);
}
