import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { pushAlertsSchema, type WebPushSubscription } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { pushReceiver } from '../support/push-service.ts';

const PATH = '/api/v1/push/subscription';
const TYPES = Object.keys(pushAlertsSchema.shape);
const { keys } = pushReceiver();
const subscription = { endpoint: 'https://Push.example:443/abc?x=1', keys };

describeTown('Push subscriptions over the API', (town) => {
  let alice: Person;
  let app: Client;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });
  beforeEach(async () => {
    app = await alice.withScopes('push');
  });

  const subscribe = (client: Client, body: object = { subscription }) =>
    client.post<WebPushSubscription>(PATH, body);
  const rows = async (): Promise<Record<string, unknown>[]> =>
    town.app.db.query('select * from durable.push_subscriptions order by id');

  it('are created, shown, changed and deleted', async () => {
    expect((await app.get(PATH)).status).to.equal(404);
    const made = await subscribe(app, {
      subscription: { ...subscription, standard: true },
      data: { alerts: { mention: true, 'admin.sign_up': '1', poll: 'false' }, policy: 'followed' },
    });
    expect(made.status).to.equal(200);
    const { id, ...rest } = made.json;
    // Apps accept only a number of 32 bits.
    expect(id)
      .to.be.a('number')
      .within(1, 2 ** 31);
    expect(rest).to.deep.equal({
      endpoint: subscription.endpoint,
      standard: true,
      alerts: Object.fromEntries(TYPES.map((type) => [type, type === 'mention' || type === 'admin.sign_up'])),
      policy: 'followed',
      server_key: town.app.instance.vapidPublicKey,
    });
    expect((await app.get(PATH)).json).to.deep.equal(made.json);

    const changed = await app.put<WebPushSubscription>(PATH, { data: { alerts: { quote: true } } });
    expect(changed.json).to.deep.equal({
      ...made.json,
      alerts: Object.fromEntries(TYPES.map((type) => [type, type === 'quote'])),
    });
    const policy = await app.put<WebPushSubscription>(PATH, { policy: 'none' });
    expect(policy.json).to.deep.equal({ ...changed.json, policy: 'none' });

    expect(await app.delete(PATH)).to.deep.include({ status: 200, json: {} });
    expect((await app.get(PATH)).json).to.deep.equal({ error: 'Not Found' });
    expect((await app.delete(PATH)).status).to.equal(200);
    expect((await app.put(PATH, { data: { alerts: {} } })).status).to.equal(404);
  });

  it('are off by default, for everyone, and by the drafts', async () => {
    const { json } = await subscribe(app);
    expect(json).to.deep.include({ standard: false, policy: 'all' });
    expect(Object.values(json.alerts)).to.deep.equal(TYPES.map(() => false));
  });

  it('have a policy, which apps may send beside the alerts', async () => {
    const beside = await subscribe(app, { subscription, data: { alerts: {} }, policy: 'followed' });
    expect(beside.json.policy).to.equal('followed');
    const both = await subscribe(app, { subscription, data: { policy: 'follower' }, policy: 'followed' });
    expect(both.json.policy).to.equal('follower');
    expect((await subscribe(app, { subscription, policy: 'friends' })).status).to.equal(422);
  });

  it('refuse settings that are filled and name nothing to push', async () => {
    const other = await alice.withScopes('push');
    for (const data of ['x', 7, [1], { colour: 'red' }]) {
      const text = JSON.stringify(data);
      expect((await other.put(PATH, { data })).status, text).to.equal(404);
      const { status, json } = await subscribe(other, { subscription, data });
      expect(status, text).to.equal(400);
      expect(json, text).to.deep.equal({ error: 'param is missing or the value is empty or invalid: data' });
    }
    await subscribe(other);
    expect((await other.put(PATH, { data: 'x', policy: 'none' })).status).to.equal(400);
    expect((await other.get<WebPushSubscription>(PATH)).json.policy).to.equal('all');
    for (const data of ['', ' ', null, {}, []]) {
      expect((await other.put(PATH, { data })).status, JSON.stringify(data)).to.equal(200);
    }
  });

  it('take alerts that are no object for none', async () => {
    const other = await alice.withScopes('push');
    for (const alerts of ['x', 7, [1], null]) {
      const text = JSON.stringify(alerts);
      const created = await subscribe(other, { subscription, data: { alerts, policy: 'followed' } });
      expect(created.status, text).to.equal(200);
      expect(Object.values(created.json.alerts), text).to.deep.equal(TYPES.map(() => false));
      expect((await other.put(PATH, { data: { alerts, policy: 'none' } })).status, text).to.equal(200);
    }
    const form = (target: string): URLSearchParams =>
      new URLSearchParams({
        'subscription[endpoint]': subscription.endpoint,
        'subscription[keys][p256dh]': keys.p256dh,
        'subscription[keys][auth]': keys.auth,
        [target]: 'x',
      });
    const texts = { 'data[alerts]': 200, data: 400, 'subscription[keys]': 422, subscription: 400 };
    for (const [target, status] of Object.entries(texts)) {
      expect((await other.post(PATH, form(target))).status, target).to.equal(status);
    }
  });

  it('are read from forms and JSON, with keys in either alphabet of base64', async () => {
    const padded = {
      p256dh: Buffer.from(keys.p256dh, 'base64url').toString('base64'),
      auth: Buffer.from(keys.auth, 'base64url').toString('base64'),
    };
    const form = new URLSearchParams({
      'subscription[endpoint]': subscription.endpoint,
      'subscription[keys][p256dh]': padded.p256dh,
      'subscription[keys][auth]': padded.auth,
      'data[alerts][admin.report]': 'true',
      'data[policy]': 'follower',
    });
    const { status, json } = await app.post<WebPushSubscription>(PATH, form);
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.alerts['admin.report']).to.equal(true);
    expect(json.policy).to.equal('follower');
  });

  it('belong to one token each: a new one replaces the earlier one', async () => {
    const other = await alice.withScopes('push');
    const first = await subscribe(app, {
      subscription: { ...subscription, endpoint: 'https://push.example/1' },
    });
    await subscribe(other, { subscription: { ...subscription, endpoint: 'https://push.example/2' } });
    const second = await subscribe(app, {
      subscription: { ...subscription, endpoint: 'https://push.example/3' },
    });
    expect(second.json.id).not.to.equal(first.json.id);
    expect((await app.get<WebPushSubscription>(PATH)).json.endpoint).to.equal('https://push.example/3');
    expect((await other.get<WebPushSubscription>(PATH)).json.endpoint).to.equal('https://push.example/2');
    // The same device signed in anew. Without this it would receive everything twice.
    await subscribe(app, { subscription: { ...subscription, endpoint: 'https://push.example/2' } });
    expect((await other.get(PATH)).status).to.equal(404);
  });

  it('are deleted with their token, however it ends', async () => {
    const bob = await town.person('bob');
    const before = (await rows()).length;
    const { access_token } = await town.app.tokens.issue({
      applicationId: '1',
      accountId: bob.id,
      scopes: ['push'],
    });
    await subscribe(town.withToken(access_token), {
      subscription: { ...subscription, endpoint: 'https://push.example/bob/1' },
    });
    await subscribe(bob, { subscription: { ...subscription, endpoint: 'https://push.example/bob/2' } });
    expect(await rows()).to.have.length(before + 2);
    expect(await town.app.tokens.revoke(access_token, '1')).to.equal('revoked');
    expect(await rows()).to.have.length(before + 1);
    await town.app.tokens.revokeAllOf(bob.id);
    expect(await rows()).to.have.length(before);
  });

  it('keep secrets sealed, and reveal none', async () => {
    await subscribe(app);
    const stored = await rows();
    expect(stored.length).to.be.greaterThan(0);
    for (const { secrets } of stored) {
      const texts = [(secrets as Buffer).toString('latin1'), (secrets as Buffer).toString('base64url')];
      expect(texts.some((text) => text.includes(keys.auth) || text.includes('auth'))).to.equal(false);
    }
    const events = await town.app.db.query<{ text: string }>(
      'select to_jsonb(e)::text as text from eventlog.events e',
    );
    expect(events.length).to.be.greaterThan(0);
    expect(events.filter(({ text }) => text.includes('push.example'))).to.deep.equal([]);
  });

  describe('that are not valid', () => {
    const bad: [string, object][] = [
      ['no subscription', {}],
      ['no subscription but a text', { subscription: 'x' }],
      ['no subscription but a blank', { subscription: null }],
      ['no keys', { subscription: { endpoint: subscription.endpoint } }],
      ['no endpoint', { subscription: { keys } }],
      ['an endpoint that is no URL', { subscription: { ...subscription, endpoint: 'nowhere' } }],
      ['an endpoint without TLS', { subscription: { ...subscription, endpoint: 'http://push.example/' } }],
      ['another scheme', { subscription: { ...subscription, endpoint: 'javascript:alert(1)' } }],
      ['a password in the URL', { subscription: { ...subscription, endpoint: 'https://a:b@push.example/' } }],
      [
        'a long endpoint',
        { subscription: { ...subscription, endpoint: `https://e.example/${'x'.repeat(2_048)}` } },
      ],
      ['a short key', { subscription: { ...subscription, keys: { ...keys, p256dh: 'BAAA' } } }],
      [
        'a key that is no base64',
        { subscription: { ...subscription, keys: { ...keys, p256dh: '!'.repeat(87) } } },
      ],
      [
        'a key that is no point of the curve',
        {
          subscription: {
            ...subscription,
            keys: { ...keys, p256dh: Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url') },
          },
        },
      ],
      [
        'a compressed key',
        {
          subscription: {
            ...subscription,
            keys: { ...keys, p256dh: Buffer.alloc(65, 2).toString('base64url') },
          },
        },
      ],
      [
        'a long secret',
        { subscription: { ...subscription, keys: { ...keys, auth: randomBytes(17).toString('base64url') } } },
      ],
      ['keys that are numbers', { subscription: { ...subscription, keys: { p256dh: 1, auth: 2 } } }],
      ['an unknown policy', { subscription, data: { policy: 'friends' } }],
    ];
    for (const [what, body] of bad) {
      it(`are refused with ${what}, and the earlier one is kept`, async () => {
        const { json } = await subscribe(app);
        const refused = await app.post<{ error: string }>(PATH, body);
        const missing = what.startsWith('no ');
        expect(refused.status).to.equal(missing ? 400 : 422);
        expect(refused.json.error).to.match(missing ? /^param is missing/ : /^Validation failed/);
        expect((await app.get(PATH)).json).to.deep.equal(json);
      });
    }

    it('are refused to callers without the scope, the user or the token', async () => {
      for (const scopes of [['read', 'write', 'follow']]) {
        const client = await alice.withScopes(...scopes);
        expect((await client.get(PATH)).status).to.equal(403);
        expect((await subscribe(client)).status).to.equal(403);
        expect((await client.put(PATH, {})).status).to.equal(403);
        expect((await client.delete(PATH)).status).to.equal(403);
      }
      expect((await (await town.appOnly()).get(PATH)).status).to.equal(403);
      expect((await town.nobody.get(PATH)).status).to.equal(401);
      expect((await subscribe(town.nobody)).status).to.equal(401);
    });
  });
});
