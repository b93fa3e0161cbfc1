import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { Admission } from '#interfaces/federation/inbox/admission.ts';
import { siteOf } from '#interfaces/http/client-address.ts';
import { eventually } from '../support/eventually.ts';
import { activity, carriedOut, FEDERATING, HERE, send } from '../support/inbox.ts';
import { ask, type Peer, startPeer } from '../support/peer.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

/** A longer text is a request body: the server parses nothing of this length for its own purposes. */
const LONG = 100_000;

describe('Admission to the inbox', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil } = await scene.start());
    peer.actor('fan');
    evil.actor('eve');
  });
  after(() => scene.close());

  const fan = () => ({ peer, name: 'fan' });
  const like = (by = 'fan', of = peer) => activity(of, by, 'Like', `${ALICE}/statuses/1`);

  /** Signs another date than the request bears. */
  const mismatched = () => ({
    at: new Date(Date.now() - 60_000),
    headersAfter: (headers: Record<string, string>) => ({ ...headers, date: new Date().toUTCString() }),
  });

  /**
   * Retries until all places of the sender are taken. Returns the refusal. The signatures do not match: a valid one
   * would make the sender known, which has places of its own.
   */
  const turnedAway = (from: string) =>
    eventually(async () => {
      const answer = await send(server, { peer: evil, name: 'eve' }, like('eve', evil), {
        ...mismatched(),
        from,
      });
      expect(answer.status).equal(429);
      return answer;
    });

  describe('with large bodies', () => {
    const wide = () => JSON.stringify({ ...like(), b: '\0', a: Array.from({ length: 300_000 }, () => ({})) });

    it('fetches no key and parses no body when the headers cannot carry a valid signature', async () => {
      const body = wide();
      const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
      const headersAfter = (headers: Record<string, string>) => ({ ...headers, digest, signature: 'x' });
      const asked = evil.asked.length;
      const parsed = await longTextsParsed(async () => {
        expect((await send(server, { peer: evil, name: 'eve' }, body, { headersAfter })).status).equal(401);
      });
      expect(parsed).equal(0);
      expect(evil.asked.length).equal(asked);
    });

    it('parses no body when the signature does not match', async () => {
      const parsed = await longTextsParsed(async () => {
        const options = { ...mismatched(), keyId: `${evil.origin}/users/eve#main-key` };
        expect((await send(server, { peer: evil, name: 'eve' }, wide(), options)).status).equal(401);
      });
      expect(parsed).equal(0);
    });

    it('parses no body with too many values, even when its signature is valid', async () => {
      const parsed = await longTextsParsed(async () => {
        expect((await send(server, fan(), wide())).status).equal(400);
      });
      expect(parsed).equal(0);
    });

    it('reads no body when the key cannot be fetched', async () => {
      const headers = await peer.sign('fan', `${HERE}/inbox`, {
        method: 'POST',
        body: '{}',
        keyId: `${peer.origin}/users/nobody#main-key`,
        headers: { 'content-type': 'application/activity+json' },
      });
      const answer = await answerTo(server, { ...headers, 'content-length': '1000000' });
      expect(answer).match(/^HTTP\/1\.1 401 /);
    });
  });

  it('accepts a request target in absolute form, as RFC 9112 requires', async () => {
    expect((await send(server, fan(), like(), { target: `${HERE}/inbox` })).status).equal(202);
    expect((await send(server, fan(), like(), { target: 'http://other.example/inbox' })).status).equal(401);
    const rfc9421 = { spec: 'rfc9421', target: `${HERE}/inbox` } as const;
    expect((await send(server, fan(), like(), rfc9421)).status).equal(202);
    const headers = await peer.sign('fan', `${HERE}/users/alice`);
    expect((await ask(server.url, `${HERE}/users/alice`, headers)).status).equal(200);
  });

  it('turns away a network that holds all its places, but no other network', async () => {
    const held = await holdPlaces(server, peer, 8, '127.0.0.2');
    try {
      const answer = await turnedAway('127.0.0.2');
      expect(Number(answer.headers['retry-after'])).greaterThan(0);
      expect((await send(server, fan(), like())).status).equal(202);
    } finally {
      await held.release();
    }
  });

  it('keeps places for known senders while strangers hold all the places for strangers', async () => {
    await send(server, fan(), like());
    const held = await Promise.all(
      ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) => holdPlaces(server, peer, 8, from)),
    );
    try {
      await turnedAway('127.0.0.6');
      expect((await send(server, fan(), like())).status).equal(202);
    } finally {
      await Promise.all(held.map((each) => each.release()));
    }
  });

  it('frees a place while the request waits for the key of another server', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const by = Array.from({ length: 10 }, (_, n) => ({ peer: n % 2 === 0 ? evil : peer, name: `late${n}` }));
    const waiting: ReturnType<typeof send>[] = [];
    for (const { peer: of, name } of by) {
      const asked = new Promise<undefined>((resolve) => {
        of.put(`/users/${name}`, (_req, res) => {
          resolve(undefined);
          void held.then(() => res.status(404).end());
        });
      });
      // The places of the test before this one are free as soon as the server notices the closed connections.
      await eventually(async () => {
        const sent = send(server, { peer: of, name }, like(name, of), { from: '127.0.0.7' });
        expect((await Promise.race([asked, sent]))?.status).equal(undefined);
        waiting.push(sent);
      });
    }
    expect((await send(server, fan(), like(), { from: '127.0.0.7' })).status).equal(202);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).deep.equal(by.map(() => 401));
  });

  it('refuses a network after too many refusals, except for known senders on it', async () => {
    const limited = await startTestServer({
      ...FEDERATING,
      RATE_LIMITS: 'on',
      RATE_LIMIT_EXEMPT_LOOPBACK: 'false',
    });
    const another = await startPeer();
    try {
      await limited.user('alice');
      another.actor('new');
      expect((await send(limited, fan(), like())).status).equal(202);
      const headers = {
        host: 'rookery.example',
        'content-type': 'application/activity+json',
        signature: 'x',
      };
      for (let n = 0; n < 300; n += 1) await ask(limited.url, '/inbox', headers, 'POST', '{}');
      const by = { peer: another, name: 'new' };
      const sent = like('new', another);
      expect((await send(limited, by, sent)).status).equal(429);
      expect((await send(limited, fan(), like())).status, 'a known sender').equal(202);
      expect((await send(limited, by, sent, { from: '127.0.0.2' })).status, 'another network').equal(202);
      await carriedOut(limited);
    } finally {
      await Promise.all([limited.close(), another.close()]);
    }
  });

  it('lets a network ask for a key while deliveries of 200 others wait for keys that never come', async () => {
    const admission = new Admission();
    const ask = (network: string, wait: () => Promise<unknown>) =>
      admission.visit({ network, site: network, isLimited: true }, 'a.example').whileAsking(wait);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const waiting = Array.from({ length: 200 }, (_, n) => ask(`192.0.2.${n}`, () => promise));
    expect(await ask('198.51.100.7', () => Promise.resolve('a key'))).equal('a key');
    resolve(undefined);
    expect(await Promise.all(waiting)).to.have.length(200);
  });

  it('bounds the large bodies that wait for keys, and lets deliveries without them wait beside', async () => {
    const admission = new Admission();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const ask = (network: string, isLarge: boolean): Promise<unknown> => {
      const visit = admission.visit({ network, site: network, isLimited: true }, 'a.example');
      if (isLarge) visit.holdsLargeBody();
      return visit.whileAsking(() => promise);
    };
    const waiting = Array.from({ length: 64 }, (_, n) => ask(`192.0.2.${n}`, true));
    expect(await ask('198.51.100.7', true).catch(String)).include('overloaded');
    const small = ask('198.51.100.8', false);
    resolve(undefined);
    await Promise.all([...waiting, small]);
  });

  it('counts the networks of one IPv6 /48 together', () => {
    const admission = new Admission();
    const enter = (network: string) => {
      const visit = admission.visit({ network, site: siteOf(`${network}::1`), isLimited: true }, 'a.example');
      visit.enter();
      return visit;
    };
    const entered = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1].map((n) => enter(`2001:db8:7:${n}`));
    expect(() => enter('2001:db8:7:2')).to.throw('overloaded');
    enter('2001:db8:8:2').leave();
    entered[0]?.leave();
    enter('2001:db8:7:2');
  });
});

/** Counts the long texts parsed as JSON while `work` runs. The server runs in this process. */
async function longTextsParsed(work: () => Promise<void>): Promise<number> {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (text: string, ...rest: []) => {
    if (text.length > LONG) count += 1;
    return parse(text, ...rest) as unknown;
  };
  try {
    await work();
  } finally {
    JSON.parse = parse;
  }
  return count;
}

const headOf = (headers: Record<string, string>): string =>
  `POST /inbox HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Sends the head of a request whose body never comes. Returns the first part of the reply. */
function answerTo({ url }: TestServer, headers: Record<string, string>): Promise<string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host });
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.write(headOf({ ...headers, host: 'rookery.example' }));
  });
}

interface HeldPlaces {
  release(): Promise<void>;
}

/**
 * Sends activities from one address whose bodies never come. An activity is refused while the server
 * has not noticed that earlier connections are closed; it is sent again.
 */
async function holdPlaces({ url }: TestServer, peer: Peer, count: number, from: string): Promise<HeldPlaces> {
  const { hostname: host, port } = new URL(url);
  const signed = await peer.sign('fan', `${HERE}/inbox`, {
    method: 'POST',
    body: '1234567890',
    headers: { 'content-type': 'application/activity+json' },
  });
  const head = headOf({ ...signed, host: 'rookery.example', 'content-length': '10', expect: '100-continue' });
  const open = new Set<Socket>();
  let isOver = false;
  const begin = async (): Promise<void> => {
    const socket = connect({ port: Number(port), host, localAddress: from });
    open.add(socket);
    socket.on('data', (answer) => {
      if (/^HTTP\/1\.1 [2-5]/m.test(answer.toString())) socket.destroy();
    });
    socket.once('close', () => {
      open.delete(socket);
      if (!isOver) void begin();
    });
    socket.write(head);
    await once(socket, 'data');
  };
  await Promise.all(Array.from({ length: count }, begin));
  return {
    async release() {
      isOver = true;
      await Promise.all([...open].map((socket) => once(socket.destroy(), 'close')));
    },
  };
}
