import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { type DomainAllowEvent, domainAllowStream } from '#events/domain-allows.ts';
import { eventually } from '../support/eventually.ts';
import {
  activity,
  blockDomain,
  carriedOut,
  deliver,
  expectIgnored,
  FEDERATING,
  HERE,
  PUBLIC,
  send,
} from '../support/inbox.ts';
import { ask, type Peer, PUBLIC_KEY, startPeer } from '../support/peer.ts';
import { suspendAccount } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const LD_JSON = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

describe('The inbox', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice } = await scene.start());
    peer.actor('fan');
    evil.actor('eve');
  });
  after(() => scene.close());

  const fan = () => ({ peer, name: 'fan' });
  const like = (by = 'fan', of = peer) => activity(of, by, 'Like', `${ALICE}/statuses/1`);
  const follow = (by = 'fan', of = peer) => activity(of, by, 'Follow', ALICE);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const followers = async (): Promise<any[]> => {
    const { body } = await server.call('GET', `/api/v1/accounts/${alice.id}/followers`, {
      token: alice.token,
    });
    return body;
  };

  it('accepts activities signed by their actor in either scheme, and makes the actor known', async () => {
    for (const [spec, type, path] of [
      ['draft-cavage-http-signatures-12', 'application/activity+json', '/inbox'],
      ['rfc9421', LD_JSON, '/users/alice/inbox'],
    ] as const) {
      const name = `first-${spec.slice(0, 3)}`;
      const uri = peer.actor(name);
      await deliver(server, { peer, name }, follow(name), { spec, type, path });
      expect((await followers()).map((one) => one.uri as string)).contain(uri);
    }
  });

  it('answers with an empty body before it has asked other servers', async () => {
    const uri = peer.actor('slow');
    const by = { peer, name: 'slow' };
    await deliver(server, by, follow('slow'));
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const target = peer.put('/users/later', (_req, res) => void held.then(() => res.status(404).end()));
    const answer = await send(server, by, activity(peer, 'slow', 'Move', uri, { target }));
    expect(answer).deep.include({ status: 202, body: '' });
    release();
    await carriedOut(server);
  });

  describe('when it refuses a request', () => {
    it('answers 400 to a body that is no activity', async () => {
      const before = await server.app.log.head();
      const deep = `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      for (const [why, body] of Object.entries({
        'no JSON': '{"type":',
        'a list': '[]',
        'a text': '"Follow"',
        nothing: '',
        'no actor': JSON.stringify({ type: 'Follow', object: ALICE }),
        'no type': JSON.stringify({ actor: `${peer.origin}/users/fan` }),
        'a strange actor': JSON.stringify({ type: 'Follow', actor: 'javascript:alert(1)' }),
        deep,
      })) {
        expect((await send(server, fan(), body)).status, why).equal(400);
      }
      const bytes = Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
      const digest = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`;
      const answer = await send(server, fan(), '{}', {
        bodyAfter: bytes,
        headersAfter: (headers) => ({ ...headers, digest }),
      });
      expect(answer.status, 'not UTF-8').equal(400);
      expect(await server.app.log.head()).equal(before);
    });

    it('answers 415 to other content types and encodings', async () => {
      for (const type of [
        'application/json',
        'application/ld+json',
        'text/plain',
        'application/activity+jsonx',
      ]) {
        expect((await send(server, fan(), like(), { type })).status, type).equal(415);
      }
      const packed = { headers: { 'content-encoding': 'gzip' } };
      expect((await send(server, fan(), like(), packed)).status).equal(415);
    });

    it('answers 413 to more than 1 MiB (GHSA-gg8q-rcg7-p79g)', async () => {
      const full = (length: number) =>
        JSON.stringify({ ...like(), x: '' }).replace(/"x":""/, `"x":"${'x'.repeat(length)}"`);
      const most = full(1_048_576 - full(0).length);
      expect(Buffer.byteLength(most)).equal(1_048_576);
      expect((await send(server, fan(), most)).status).equal(202);
      expect((await send(server, fan(), `${most} `)).status).equal(413);
    });

    it('answers 404 for an inbox of no account, and 403 for that of a suspended one', async () => {
      expect((await send(server, fan(), like(), { path: '/users/nobody/inbox' })).status).equal(404);
      const gone = await server.user('gone');
      await suspendAccount(server.app, gone.id);
      expect((await send(server, fan(), like(), { path: '/users/gone/inbox' })).status).equal(403);
      expect((await ask(server.url, '/inbox', { host: 'rookery.example' })).status).equal(404);
    });

    for (const spec of ['draft-cavage-http-signatures-12', 'rfc9421'] as const) {
      it(`answers 401 to activities that their actor did not sign by ${spec}`, async () => {
        await carriedOut(server);
        const before = await server.app.log.head();
        const digest = spec === 'rfc9421' ? 'content-digest' : 'digest';
        const body = JSON.stringify(like());
        const other = `${body} `;
        const sum = createHash('sha256').update(other).digest('base64');
        const cases: Record<string, Parameters<typeof send>[3]> = {
          'not at all': { headersAfter: ({ signature: _, 'signature-input': __, ...rest }) => rest },
          'another body': { bodyAfter: other },
          'another body with its digest': {
            bodyAfter: other,
            headersAfter: (headers) => ({
              ...headers,
              [digest]: spec === 'rfc9421' ? `sha-256=:${sum}:` : `SHA-256=${sum}`,
            }),
          },
          'without digest': { headersAfter: ({ digest: _, 'content-digest': __, ...rest }) => rest },
          'an unknown digest algorithm': {
            headersAfter: (headers) => ({ ...headers, [digest]: 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:' }),
          },
          'two digests': {
            headersAfter: (headers) => ({ ...headers, [digest]: [headers[digest] ?? '', 'x=:eA==:'] }),
          },
          'a second digest of something else': {
            headersAfter: (headers) => ({
              ...headers,
              ...(spec === 'rfc9421'
                ? { digest: `SHA-256=${sum}` }
                : { 'content-digest': `sha-256=:${sum}:` }),
            }),
          },
          'another inbox': { headersAfter: (headers) => ({ ...headers, host: 'other.example' }) },
          'long ago': { at: new Date(Date.now() - 90 * 60_000) },
          'long after': { at: new Date(Date.now() + 90 * 60_000) },
          'another actor’s key': { keyId: `${peer.origin}/users/other#main-key` },
          'a missing key': { keyId: `${peer.origin}/users/nobody#main-key` },
          'a digest that is not covered': {
            headersAfter: (headers) =>
              spec === 'rfc9421'
                ? {
                    ...headers,
                    'signature-input': (headers['signature-input'] ?? '').replace(/ ?"content-digest"/, ''),
                  }
                : { ...headers, signature: (headers['signature'] ?? '').replace(/ digest(?=["\s])/, '') },
          },
        };
        peer.actor('other');
        for (const [why, options] of Object.entries(cases)) {
          const answer = await send(server, fan(), body, { spec, ...options });
          expect(answer.status, why).equal(401);
          expect(JSON.parse(answer.body), why).to.have.property('error');
        }
        expect((await send(server, fan(), body, { spec })).status, 'unchanged').equal(202);
        const posted = await send(server, fan(), body, {
          spec,
          headersAfter: (headers) => headers,
          path: '/inbox?x',
        });
        expect(posted.status, 'with a query that is signed').equal(202);
        await carriedOut(server);
        expect(await server.app.log.head()).equal(before);
      });
    }

    it('ignores activities in the name of an actor who did not sign them (CVE-2024-23832, GHSA-jhrq-qvrm-qr36)', async () => {
      await carriedOut(server);
      const before = await server.app.log.head();
      const eve = { peer: evil, name: 'eve' };
      expect((await send(server, eve, follow('fan'))).status, 'another actor').equal(401);
      const keyId = `${evil.origin}/users/eve#main-key`;
      expect((await send(server, fan(), follow('fan'), { keyId })).status, 'another key').equal(401);
      expect((await send(server, eve, { ...follow('eve', evil), actor: ALICE })).status).equal(401);
      // A signature inside the document does not count either (CVE-2026-46349).
      const inside = {
        signature: { type: 'RsaSignature2017', creator: `${peer.origin}/users/fan#main-key` },
      };
      for (const type of ['Follow', 'Delete', 'Undo', 'Announce', 'Like', 'Block']) {
        const forwarded = { ...activity(peer, 'fan', type, ALICE), ...inside };
        expect((await send(server, eve, forwarded)).status, type).equal(202);
      }
      await carriedOut(server);
      expect(await server.app.log.head()).equal(before);
    });
  });

  it('ignores a repeated activity and a replayed request, also with another spelling of the signature', async () => {
    const uri = peer.actor('twice');
    const by = { peer, name: 'twice' };
    const sent = follow('twice');
    const text = JSON.stringify(sent);
    const headers = await peer.sign('twice', `${HERE}/inbox`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/activity+json' },
    });
    const replay = async () => {
      const { status } = await ask(server.url, '/inbox', headers, 'POST', text);
      expect(status).equal(202);
      await carriedOut(server);
    };
    const isFollower = async () => (await followers()).some((one) => one.uri === uri);
    await replay();
    expect(await isFollower()).equal(true);
    await expectIgnored(server, by, sent, 'the same again');
    await deliver(server, by, activity(peer, 'twice', 'Undo', sent));
    expect(await isFollower()).equal(false);
    const before = await server.app.log.head();
    await replay();
    expect(await server.app.log.head()).equal(before);
    expect(await isFollower()).equal(false);
    // Base64 spells the same bytes in several ways: without padding, or with other unused bits.
    const { signature = '' } = headers;
    const next: Record<string, string> = { A: 'B', Q: 'R', g: 'h', w: 'x' };
    const otherBits = signature.replace(/([AQgw])=="/, (_, last: string) => `${next[last] ?? ''}=="`);
    for (const spelling of [signature.replace(/=="/, '"'), otherBits]) {
      expect(spelling).not.equal(signature);
      const { status } = await ask(server.url, '/inbox', { ...headers, signature: spelling }, 'POST', text);
      expect(status).equal(202);
      await carriedOut(server);
      expect(await server.app.log.head()).equal(before);
    }
    // A new Follow may reuse the id. Signatures count whole seconds, so it is signed a minute later.
    await deliver(server, by, sent, { at: new Date(Date.now() + 60_000) });
    expect(await isFollower()).equal(true);
  });

  it('refuses the old key once an Update has announced a new one', async () => {
    const id = peer.actor('renewed');
    const by = { peer, name: 'renewed' };
    await deliver(server, by, follow('renewed'));
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const changes = { publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: publicKey } };
    peer.actor('renewed', changes);
    const person = { id, type: 'Person', preferredUsername: 'renewed', inbox: `${id}/inbox`, ...changes };
    await deliver(server, by, activity(peer, 'renewed', 'Update', person));
    expect((await send(server, by, activity(peer, 'renewed', 'Like', ALICE))).status).equal(401);
  });

  describe('A key that an actor no longer lists', () => {
    let made = 0;
    /** Makes an actor with two keys, which has sent something by the second. Returns what sends by it again. */
    const withTwoKeys = async () => {
      const name = `keyed${(made += 1)}`;
      const uri = `${peer.origin}/users/${name}`;
      const keyed = (...keys: string[]) => ({
        publicKey: keys.map((key) => ({ id: `${uri}#${key}`, owner: uri, publicKeyPem: PUBLIC_KEY })),
      });
      peer.actor(name, keyed('main-key', 'old-key'));
      const again = async (): Promise<number> =>
        (await send(server, { peer, name }, activity(peer, name, 'Like', ALICE), { keyId: `${uri}#old-key` }))
          .status;
      expect(await again()).equal(202);
      peer.actor(name, keyed('main-key'));
      return { name, uri, again, keyed };
    };

    it('signs nothing after an Update that leaves it out, signed by another key', async () => {
      const { name, uri, again, keyed } = await withTwoKeys();
      const described = { type: 'Person', preferredUsername: name, inbox: `${uri}/inbox` };
      const person = { id: uri, ...described, ...keyed('main-key') };
      await deliver(server, { peer, name }, activity(peer, name, 'Update', person));
      expect(await again()).equal(401);
    });

    it('signs nothing after the document of the actor was read for any other reason', async () => {
      const { uri, again } = await withTwoKeys();
      await server.app.contextDependencies.services.resolver.identify(uri);
      expect(await again()).equal(401);
    });

    it('signs nothing after another process read the document', async () => {
      const { uri, again } = await withTwoKeys();
      await server.app.db.query(`select pg_notify('rookery_remote_keys', $1)`, [`another ${uri}`]);
      await eventually(async () => expect(await again()).equal(401));
    });
  });

  it('processes the activities of one actor in the order of arrival', async () => {
    const uri = peer.actor('hasty');
    const by = { peer, name: 'hasty' };
    const sent = follow('hasty');
    for (let turn = 0; turn < 5; turn += 1) {
      await send(server, by, { ...sent, id: `${String(sent['id'])}-${turn}` });
      await send(server, by, activity(peer, 'hasty', 'Undo', sent));
    }
    await carriedOut(server);
    expect((await followers()).some((one) => one.uri === uri)).equal(false);
  });

  it("processes other servers' activities while one actor has hundreds waiting", async () => {
    peer.actor('flood');
    const calm = evil.actor('calm');
    const flood = { peer, name: 'flood' };
    const waiting = async (): Promise<number> => {
      const [row] = await server.app.db.query<{ n: number }>(
        'select count(*)::int as n from durable.inbox_activities where actor = $1',
        [`${peer.origin}/users/flood`],
      );
      return row?.n ?? 0;
    };
    const at = (n: number) => new Date(Date.now() - n * 1_000);
    const sent = follow('flood');
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        send(server, flood, n % 2 === 0 ? sent : activity(peer, 'flood', 'Undo', sent), { at: at(n) }),
      ),
    );
    expect((await send(server, { peer: evil, name: 'calm' }, follow('calm', evil))).status).equal(202);
    await eventually(async () => expect((await followers()).map(({ uri }) => uri as string)).contain(calm));
    expect(await waiting()).greaterThan(0);
    await carriedOut(server);
  });

  it('ignores activities of unknown types and with meaningless objects', async () => {
    await expectIgnored(server, fan(), activity(peer, 'fan', 'EmojiReact', ALICE), 'EmojiReact');
    await expectIgnored(server, fan(), activity(peer, 'fan', 'View', ALICE), 'View');
    for (const type of [
      'Accept',
      'Add',
      'Announce',
      'Block',
      'Flag',
      'Follow',
      'Like',
      'Move',
      'Reject',
      'Undo',
    ]) {
      for (const object of [undefined, null, 7, [], {}, { id: 7 }, 'x', { type, object: {} }, [null, 'x']]) {
        await send(server, fan(), activity(peer, 'fan', type, object));
      }
    }
    const before = await server.app.log.head();
    for (const type of ['Create', 'Update', 'Delete']) {
      for (const object of [
        undefined,
        [],
        { id: 7 },
        'x',
        { id: `${peer.origin}/x` },
        { id: 'x', type: 'Note' },
      ]) {
        expect((await send(server, fan(), activity(peer, 'fan', type, object))).status).equal(202);
      }
    }
    await carriedOut(server);
    expect(await server.app.log.head()).equal(before);
  });

  it('fetches nothing when an unknown actor deletes itself', async () => {
    const asked = peer.asked.length;
    const uri = `${peer.origin}/users/stranger`;
    const by = { peer, name: 'stranger' };
    await expectIgnored(server, by, activity(peer, 'stranger', 'Delete', uri), 'a stranger');
    expect(peer.asked.length).equal(asked);
  });

  it('answers suspended accounts like others, and ignores what they send (GHSA-5h2f-wg8j-xqwp)', async () => {
    const uri = peer.actor('banned');
    const by = { peer, name: 'banned' };
    await deliver(server, by, follow('banned'));
    await suspendAccount(server.app, await scene.accountOf(uri));
    const note = {
      id: `${peer.origin}/notes/b`,
      type: 'Note',
      attributedTo: uri,
      content: 'x',
      to: [PUBLIC, ALICE],
    };
    for (const sent of [
      activity(peer, 'banned', 'Undo', follow('banned')),
      activity(peer, 'banned', 'Block', ALICE),
      activity(peer, 'banned', 'Create', note),
      activity(peer, 'banned', 'Flag', ALICE),
      activity(peer, 'banned', 'Update', { ...note, id: uri, type: 'Person' }),
      activity(peer, 'banned', 'Delete', uri),
    ]) {
      await expectIgnored(server, by, sent, String(sent['type']));
    }
    expect((await send(server, fan(), follow('banned'))).status, 'unproven').equal(401);
  });

  it('answers suspended servers like others, without fetching anything from them', async () => {
    const blocked = await startPeer();
    try {
      blocked.actor('bob');
      const by = { peer: blocked, name: 'bob' };
      await blockDomain(server, { domain: blocked.host, severity: 'suspend' });
      await expectIgnored(server, by, follow('bob', blocked), 'a suspended server');
      expect(blocked.asked).deep.equal([]);
    } finally {
      await blocked.close();
    }
  });

  it('accepts only allowed servers in limited federation mode', async () => {
    const closed = await startTestServer({ ...FEDERATING, LIMITED_FEDERATION_MODE: 'true' });
    try {
      const owner = await closed.user('alice');
      const before = await closed.app.log.head();
      expect((await send(closed, fan(), follow())).status).equal(401);
      expect(await closed.app.log.head()).equal(before);
      const ctx = closed.app.systemContext('spec');
      const data = { id: ctx.newId(), domain: peer.host };
      await ctx.execute(
        domainAllowStream(peer.host),
        { initialState: null, evolve: () => null },
        (): DomainAllowEvent[] => [{ type: 'DomainAllowed', data }],
      );
      await closed.waitUntilIdle();
      await deliver(closed, fan(), follow());
      const path = `/api/v1/accounts/${owner.id}/followers`;
      const { body } = await closed.call('GET', path, { token: owner.token });
      expect(body.map((one: { acct: string }) => one.acct)).deep.equal([`fan@${peer.host}`]);
      expect((await send(closed, { peer: evil, name: 'eve' }, follow('eve', evil))).status).equal(401);
    } finally {
      await closed.close();
    }
  });
});
