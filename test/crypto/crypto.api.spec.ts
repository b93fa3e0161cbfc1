import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { expect } from 'chai';
import { listen, openEvents } from '../streaming/support.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

interface Keys {
  device: { device_id: string; name: string; identity_key: string; fingerprint_key: string };
  oneTimeKey(id: string): { key_id: string; key: string; signature: string };
}

/** Creates the keys of a device like a client. */
function newKeys(device_id: string): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    device: {
      device_id,
      name: `Device ${device_id}`,
      identity_key: raw(generateKeyPairSync('x25519').publicKey),
      fingerprint_key: raw(publicKey),
    },
    oneTimeKey: (key_id) => {
      const key = raw(generateKeyPairSync('x25519').publicKey);
      return { key_id, key, signature: sign(null, Buffer.from(key), privateKey).toString('base64') };
    },
  };
}

const raw = (key: KeyObject): string =>
  Buffer.from(key.export({ format: 'jwk' })['x'] as string, 'base64url').toString('base64');

describe('End-to-end encryption', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let aliceKeys: Keys;
  let bobKeys: Keys;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice', { scopes: ['crypto'] });
    bob = await server.user('bob', { scopes: ['crypto'] });
  });
  after(() => server.close());

  const post = (path: string, { token }: { token: string }, body: object = {}): Promise<Answer> =>
    server.call('POST', `/api/v1/crypto/${path}`, { token, body });
  const get = (path: string, { token }: { token: string }): Promise<Answer> =>
    server.call('GET', `/api/v1/crypto/${path}`, { token });
  const count = async (who: { token: string }): Promise<unknown> => (await get('keys/count', who)).body;
  const ids = (keys: Keys, from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => keys.oneTimeKey(`key-${String(from + index)}`));
  const message = (body: string, more: object = {}) => ({
    account_id: bob.id,
    device_id: 'bob-phone',
    type: 1,
    body,
    hmac: `digest of ${body}`,
    ...more,
  });
  const bodies = ({ body }: Answer): string[] => (body as { body: string }[]).map((each) => each.body);

  describe('without a device', () => {
    it('offers nothing to count, read, clear or send from', async () => {
      expect((await get('keys/count', alice)).status).to.equal(404);
      expect((await get('encrypted_messages', alice)).status).to.equal(404);
      expect((await post('encrypted_messages/clear', alice, { up_to_id: '1' })).status).to.equal(404);
      expect((await post('deliveries', alice, { device: [message('early')] })).status).to.equal(404);
      expect((await post('keys/upload', alice)).status).to.equal(404);
    });

    it('requires a user and the scope crypto', async () => {
      const other = { token: await server.tokenFor(alice.id, ['read', 'write', 'follow']) };
      expect((await get('keys/count', other)).status).to.equal(403);
      expect((await post('keys/query', other, { id: [bob.id] })).status).to.equal(403);
      expect((await server.call('GET', '/api/v1/crypto/keys/count')).status).to.equal(401);
    });
  });

  describe('keys', () => {
    it('are uploaded together with the device', async () => {
      aliceKeys = newKeys('alice-phone');
      const answer = await post('keys/upload', alice, {
        device: aliceKeys.device,
        one_time_keys: ids(aliceKeys, 0, 3),
      });
      expect(answer).to.deep.include({ status: 200, body: aliceKeys.device });
      expect(await count(alice)).to.deep.equal({ one_time_keys: 3 });
    });

    it('may be uploaded later without the device, and a repeated key counts once', async () => {
      const again = aliceKeys.oneTimeKey('key-2');
      const answer = await post('keys/upload', alice, {
        one_time_keys: [aliceKeys.oneTimeKey('key-3'), again, again],
      });
      expect(answer).to.deep.include({ status: 200, body: aliceKeys.device });
      expect(await count(alice)).to.deep.equal({ one_time_keys: 4 });
    });

    it('are all refused when one of them is malformed or not signed by the device', async () => {
      const stranger = newKeys('alice-phone');
      const { device } = aliceKeys;
      const bad: object[] = [
        { device: { ...device, identity_key: 'short' } },
        { device: { ...device, fingerprint_key: '' } },
        { device: { ...device, identity_key: randomBytes(31).toString('base64') } },
        { device: { ...device, name: '' } },
        { one_time_keys: [aliceKeys.oneTimeKey('fine'), stranger.oneTimeKey('forged')] },
        { one_time_keys: [{ ...aliceKeys.oneTimeKey('cut'), signature: 'abcd' }] },
        { one_time_keys: [{ ...aliceKeys.oneTimeKey('swapped'), key: device.identity_key }] },
        { one_time_keys: 'x' },
      ];
      for (const body of bad) {
        expect((await post('keys/upload', alice, body)).status, JSON.stringify(body)).to.equal(422);
      }
      for (const body of [{ device: { device_id: 'x' } }, { one_time_keys: [{ key_id: 'x' }] }]) {
        expect((await post('keys/upload', alice, body)).status, JSON.stringify(body)).to.equal(400);
      }
      expect(await count(alice)).to.deep.equal({ one_time_keys: 4 });
    });

    it('are limited to 200 per device', async () => {
      bobKeys = newKeys('bob-phone');
      for (const from of [0, 100]) {
        const { status } = await post('keys/upload', bob, {
          device: bobKeys.device,
          one_time_keys: ids(bobKeys, from, from + 100),
        });
        expect(status).to.equal(200);
      }
      expect(
        (await post('keys/upload', bob, { one_time_keys: [bobKeys.oneTimeKey('more')] })).status,
      ).to.equal(422);
      expect(await count(bob)).to.deep.equal({ one_time_keys: 200 });
    });

    it('are visible to every client with the scope crypto, for each device of an account', async () => {
      const carol = await server.user('carol', { scopes: ['crypto'] });
      const { body } = await post('keys/query', alice, { id: [carol.id, '1', bob.id] });
      expect(body).to.deep.equal([
        { account_id: carol.id, devices: [] },
        { account_id: bob.id, devices: [bobKeys.device] },
      ]);
      expect((await post('keys/query', alice)).body).to.deep.equal([]);
    });

    it('are claimed only once, even when many clients claim at the same moment', async () => {
      const device = [{ account_id: bob.id, device_id: 'bob-phone' }];
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => post('keys/claim', alice, { device: [...device, ...device] })),
      );
      const claimed = answers.flatMap(({ body }) => body as { key_id: string; account_id: string }[]);
      expect(claimed).to.have.length(40);
      expect(new Set(claimed.map(({ key_id }) => key_id)).size).to.equal(40);
      expect(claimed[0]).to.include({ account_id: bob.id, device_id: 'bob-phone' });
      expect(await count(bob)).to.deep.equal({ one_time_keys: 160 });
    });

    it('are not returned for unknown devices, or when all of them were claimed', async () => {
      const device = [
        { account_id: alice.id, device_id: 'alice-phone' },
        { account_id: alice.id, device_id: 'unknown' },
        { account_id: '1', device_id: 'alice-phone' },
      ];
      const claimed: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        claimed.push(((await post('keys/claim', bob, { device })).body as unknown[]).length);
      }
      expect(claimed).to.deep.equal([1, 1, 1, 1, 0]);
      expect(await count(alice)).to.deep.equal({ one_time_keys: 0 });
      expect((await post('keys/claim', bob)).body).to.deep.equal([]);
    });
  });

  describe('messages', () => {
    it('reach the device to which they are sent, and name their sender', async () => {
      expect(await post('deliveries', alice, { device: [message('one'), message('two')] })).to.deep.include({
        status: 200,
        body: {},
      });
      const answer = await get('encrypted_messages', bob);
      const [newest, oldest] = answer.body as Record<string, string>[];
      expect(oldest).to.include({
        account_id: alice.id,
        device_id: 'alice-phone',
        type: 1,
        body: 'one',
        digest: 'digest of one',
      });
      const [facts] = oldest?.['message_franking']?.split('.') ?? [];
      expect(JSON.parse(Buffer.from(facts ?? '', 'base64url').toString())).to.deep.include({
        source_account_id: alice.id,
        target_account_id: bob.id,
        hmac: 'digest of one',
      });
      expect(newest?.['message_franking']).not.to.equal(oldest?.['message_franking']);
      expect((await get('encrypted_messages', alice)).body).to.deep.equal([]);
    });

    it('are not stored in the event log', async () => {
      const before = await server.app.log.head();
      await post('deliveries', alice, { device: [message('three')] });
      expect(await server.app.log.head()).to.equal(before);
    });

    it('are returned in pages', async () => {
      const first = await get('encrypted_messages?limit=2', bob);
      expect(bodies(first)).to.deep.equal(['three', 'two']);
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await server.call('GET', new URL(next).pathname + new URL(next).search, {
        token: bob.token,
      });
      expect(bodies(second)).to.deep.equal(['one']);
      const oldest = (second.body as { id: string }[])[0]?.id ?? '';
      expect(bodies(await get(`encrypted_messages?min_id=${oldest}&limit=1`, bob))).to.deep.equal(['two']);
    });

    it('are delivered to all named devices or to none', async () => {
      const lost = await post('deliveries', alice, {
        device: [message('four'), message('lost', { device_id: 'unknown' })],
      });
      expect(lost.status).to.equal(404);
      expect(
        (await post('deliveries', alice, { device: [message('x', { account_id: '1' })] })).status,
      ).to.equal(404);
      for (const device of [[], undefined, [message('')], [message('x', { type: -1 })], 'x']) {
        expect((await post('deliveries', alice, { device })).status, JSON.stringify(device)).to.equal(422);
      }
      const cut = await post('deliveries', alice, { device: [{ account_id: bob.id }] });
      expect(cut.status).to.equal(400);
      expect(bodies(await get('encrypted_messages', bob))).to.deep.equal(['three', 'two', 'one']);
    });

    it('are not delivered to a user who blocks the sender, and the keys of that user are hidden too', async () => {
      const mallory = await server.user('mallory', { scopes: ['crypto'] });
      await post('keys/upload', mallory, { device: newKeys('mallory-phone').device });
      const token = await server.tokenFor(bob.id, ['write:blocks']);
      await server.call('POST', `/api/v1/accounts/${mallory.id}/block`, { token, body: {} });
      await server.waitUntilIdle();
      const before = await count(bob);
      const device = [{ account_id: bob.id, device_id: 'bob-phone' }];
      expect((await post('keys/query', mallory, { id: [bob.id] })).body).to.deep.equal([]);
      expect((await post('keys/claim', mallory, { device })).body).to.deep.equal([]);
      expect((await post('deliveries', mallory, { device: [message('unwanted')] })).status).to.equal(404);
      expect(await count(bob)).to.deep.equal(before);
      expect(bodies(await get('encrypted_messages', bob))).to.not.include('unwanted');
    });

    it('are cleared up to a given message, only on the device itself', async () => {
      const all = (await get('encrypted_messages', bob)).body as { id: string; body: string }[];
      const two = all.find(({ body }) => body === 'two')?.id;
      expect((await post('encrypted_messages/clear', alice, { up_to_id: two })).status).to.equal(200);
      expect(bodies(await get('encrypted_messages', bob))).to.have.length(3);
      expect((await post('encrypted_messages/clear', bob, { up_to_id: two })).status).to.equal(200);
      expect(bodies(await get('encrypted_messages', bob))).to.deep.equal(['three']);
      expect((await post('encrypted_messages/clear', bob)).status).to.equal(400);
    });

    it('are streamed only to clients of their device, in the form of the REST API, without an event id', async () => {
      const phone = { token: await server.tokenFor(bob.id, ['read', 'crypto']) };
      const tablet = { token: await server.tokenFor(bob.id, ['read', 'crypto']) };
      for (const [who, name] of [
        [phone, 'stream-phone'],
        [tablet, 'stream-tablet'],
      ] as const) {
        expect((await post('keys/upload', who, { device: newKeys(name).device })).status).to.equal(200);
      }
      const withoutScope = await server.tokenFor(bob.id, ['read']);
      const socket = await listen(server.url, phone.token, 'user');
      const events = await openEvents(server.url, '/user', phone.token);
      const others = await Promise.all([
        listen(server.url, tablet.token, 'user'),
        listen(server.url, withoutScope, 'user'),
        listen(server.url, phone.token, 'public'),
      ]);
      await eventually(async () => {
        const { body } = await server.call('GET', '/metrics');
        expect(body).to.match(/^connected_channels\{type="websocket",channel="user"\} 3$/m);
        expect(body).to.match(/^connected_channels\{type="eventsource",channel="user"\} 1$/m);
      });
      const to = (device_id: string, text: string): object => message(text, { device_id });
      const sent = [to('stream-phone', 'first'), to('stream-tablet', 'other'), to('stream-phone', 'second')];
      expect((await post('deliveries', alice, { device: sent })).status).to.equal(200);
      const stored = (await get('encrypted_messages', phone)).body as { body: string }[];
      for (const expected of stored.toReversed()) {
        const heard = await socket.next();
        expect(heard).to.deep.equal({ stream: ['user'], event: 'encrypted_message', payload: expected });
        const { event, data, id } = await events.next();
        expect([event, JSON.parse(data), id]).to.deep.equal(['encrypted_message', expected, undefined]);
      }
      expect((await others[0].next()).payload).to.include({ body: 'other' });
      expect((await post('deliveries', alice, { device: [to('stream-tablet', 'end')] })).status).to.equal(
        200,
      );
      expect((await others[0].next()).payload).to.include({ body: 'end' });
      expect(others.map(({ heard }) => heard)).to.deep.equal([0, 0, 0]);
      await server.app.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'rookery listener'`,
      );
      expect(await socket.closed, 'the client must reconnect because it may have missed a message').to.equal(
        1012,
      );
      for (const { socket: open } of others) open.close();
      events.close();
    });

    it('are limited to a maximum number of waiting messages', async () => {
      const hundred = Array.from({ length: 100 }, (_, index) => message(`number ${index}`));
      const statuses: number[] = [];
      // One message is already waiting.
      for (const size of [100, 100, 100, 100, 100, 99, 1]) {
        statuses.push((await post('deliveries', alice, { device: hundred.slice(0, size) })).status);
      }
      expect(statuses).to.deep.equal([200, 200, 200, 200, 422, 200, 422]);
    });

    it('are all delivered when many clients send at the same moment', async () => {
      const newest = ((await get('encrypted_messages?limit=1', bob)).body as { id: string }[])[0]?.id;
      await post('encrypted_messages/clear', bob, { up_to_id: newest });
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          post('deliveries', alice, { device: [message(`at once ${index}`)] }),
        ),
      );
      expect(new Set(bodies(await get('encrypted_messages', bob))).size).to.equal(20);
    });
  });

  describe('a device', () => {
    it('becomes a new device with new keys, for which no messages are waiting', async () => {
      const renamed = { ...bobKeys.device, name: 'New name' };
      await post('keys/upload', bob, { device: renamed });
      expect(await count(bob)).to.deep.equal({ one_time_keys: 160 });
      expect(bodies(await get('encrypted_messages', bob))).to.have.length(20);
      bobKeys = newKeys('bob-phone');
      await post('keys/upload', bob, { device: bobKeys.device });
      expect(await count(bob)).to.deep.equal({ one_time_keys: 0 });
      expect((await get('encrypted_messages', bob)).body).to.deep.equal([]);
    });

    it('belongs to its token, and a second token has its own device', async () => {
      const tablet = { token: await server.tokenFor(bob.id, ['crypto']) };
      expect((await get('keys/count', tablet)).status).to.equal(404);
      await post('keys/upload', tablet, { device: newKeys('bob-tablet').device });
      await post('deliveries', alice, {
        device: [message('to the phone'), message('to the tablet', { device_id: 'bob-tablet' })],
      });
      expect(bodies(await get('encrypted_messages', tablet))).to.deep.equal(['to the tablet']);
      expect(bodies(await get('encrypted_messages', bob))).to.deep.equal(['to the phone']);
    });

    it('moves to the token that uploaded it last', async () => {
      const again = { token: await server.tokenFor(bob.id, ['crypto']) };
      const uploads = await Promise.all([
        post('keys/upload', again, { device: bobKeys.device }),
        post('keys/upload', again, { device: bobKeys.device }),
      ]);
      expect(uploads.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect((await get('keys/count', bob)).status).to.equal(404);
      expect((await get('keys/count', again)).status).to.equal(200);
    });

    it('disappears when its token is revoked', async () => {
      await server.app.tokens.revokeAllOf(bob.id);
      const { body } = await post('keys/query', alice, { id: [bob.id] });
      expect(body).to.deep.equal([{ account_id: bob.id, devices: [] }]);
      expect((await post('deliveries', alice, { device: [message('late')] })).status).to.equal(404);
    });
  });
});
