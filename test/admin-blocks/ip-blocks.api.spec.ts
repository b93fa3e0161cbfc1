import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { endExpired } from '#commands/admin/ip-blocks/index.ts';
import { ipBlockStream } from '#events/ip-blocks.ts';
import type { AdminIpBlock } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const PATH = '/api/v1/admin/ip_blocks';

describe('Blocking IP addresses over the API', () => {
  let server: TestServer;
  let admin: TestUser;
  let mod: TestUser;
  let application: string;
  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    const scopes = ['read', 'write', 'admin:read', 'admin:write'];
    admin = await server.user('admin', { role: 'Admin', scopes });
    mod = await server.user('mod', { role: 'Moderator', scopes });
    application = await server.tokenFor(undefined, ['read', 'write']);
  });
  after(() => server.close());

  const send = (method: string, path: string, body?: object, { token } = admin): Promise<Answer> =>
    server.call(method, path, { token, body });
  const block = async (rules: object): Promise<AdminIpBlock> => {
    const { status, body } = await send('POST', PATH, rules);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as AdminIpBlock;
  };
  /** Sends a request with the client's address as a proxy reports it. */
  const from = (ip: string, method: string, path: string, body?: object): Promise<Answer> =>
    server.call(method, path, {
      headers: { 'X-Forwarded-For': ip },
      token: body ? application : undefined,
      body,
    });
  let count = 0;
  const signUp = (ip: string): Promise<Answer> => {
    const username = `person${(count += 1)}`;
    return from(ip, 'POST', '/api/v1/accounts', {
      username,
      email: `${username}@mail.example`,
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
    });
  };

  it('accepts addresses and ranges, and normalizes them', async () => {
    const { id, created_at, ...rest } = await block({ ip: '8.8.8.8', severity: 'no_access' });
    expect(Date.parse(created_at)).to.be.closeTo(Date.now(), 60_000);
    expect(rest).to.deep.equal({ ip: '8.8.8.8/32', severity: 'no_access', comment: '', expires_at: null });
    expect((await send('GET', `${PATH}/${id}`)).body).to.deep.equal({ id, created_at, ...rest });
    for (const [given, range] of [
      ['9.9.9.77/24', '9.9.9.0/24'],
      ['2001:DB8:0:0::1', '2001:db8::1/128'],
      ['2001:db8:1::ffff/48', '2001:db8:1::/48'],
      ['::ffff:7.7.7.7', '7.7.7.7/32'],
      ['::ffff:6.6.6.6/120', '6.6.6.0/24'],
    ]) {
      expect((await block({ ip: given, severity: 'sign_up_block' })).ip).to.equal(range);
      const again = await send('POST', PATH, { ip: range, severity: 'sign_up_block' });
      expect([again.status, again.body]).to.deep.equal([
        422,
        {
          error: 'Validation failed: Ip has already been taken',
          details: { ip: [{ error: 'ERR_TAKEN', description: 'has already been taken' }] },
        },
      ]);
    }
    for (const ip of ['', ' ', null]) {
      const blank = await send('POST', PATH, { ip, severity: 'sign_up_block' });
      expect([blank.status, blank.body]).to.deep.equal([
        422,
        {
          error: "Validation failed: Ip can't be blank",
          details: { ip: [{ error: 'ERR_BLANK', description: "can't be blank" }] },
        },
      ]);
    }
    // The default that Mastodon's documentation gives.
    expect((await block({ severity: 'sign_up_block' })).ip).to.equal('0.0.0.0/32');
  });

  it('refuses every request from a no_access range, and from no other', async () => {
    const { id } = await block({ ip: '203.0.113.0/24', severity: 'no_access' });
    const paths = [
      '/api/v1/timelines/public',
      '/api/v1/custom_emojis',
      '/oauth/authorize',
      '/health',
      '/nothing',
    ];
    await eventually(async () => {
      expect((await from('203.0.113.7', 'GET', '/api/v1/custom_emojis')).status).to.equal(403);
    });
    for (const path of paths) {
      const { status, body, headers } = await from('203.0.113.7', 'GET', path);
      expect([path, status, body]).to.deep.equal([path, 403, { error: 'Forbidden' }]);
      expect(headers.get('cache-control'), path).to.equal('private, no-store');
      expect((await from('203.0.114.7', 'GET', path)).status, path).not.to.equal(403);
    }
    const stream = new WebSocket(`${server.url}/api/v1/streaming`, {
      headers: { 'X-Forwarded-For': '203.0.113.7' },
    });
    const [, refusal] = (await once(stream, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(refusal.statusCode).to.equal(403);
    await send('DELETE', `${PATH}/${id}`);
    await eventually(async () => {
      expect((await from('203.0.113.7', 'GET', '/api/v1/custom_emojis')).status).to.equal(200);
    });
  });

  it('closes open streams from a new no_access range, and no others', async () => {
    const listen = async (ip: string): Promise<WebSocket> => {
      const headers = { 'X-Forwarded-For': ip, Authorization: `Bearer ${mod.token}` };
      const stream = new WebSocket(`${server.url}/api/v1/streaming?stream=user`, { headers });
      await once(stream, 'open');
      return stream;
    };
    const [inside, outside] = [await listen('203.0.115.7'), await listen('203.0.116.7')];
    const closed = once(inside, 'close');
    const { id } = await block({ ip: '203.0.115.0/24', severity: 'no_access' });
    const [code] = (await closed) as [number];
    expect(code).to.equal(1008);
    expect(outside.readyState).to.equal(WebSocket.OPEN);
    outside.close();
    await send('DELETE', `${PATH}/${id}`);
  });

  it('refuses sign-ups or makes them wait for approval by the strictest block', async () => {
    await block({ ip: '198.51.100.0/24', severity: 'sign_up_requires_approval' });
    await block({ ip: '198.51.100.128/25', severity: 'sign_up_block' });
    const refused = await signUp('198.51.100.200');
    expect([refused.status, refused.body]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    expect((await from('198.51.100.200', 'GET', '/api/v1/timelines/public')).status).to.equal(200);
    const waiting = await signUp('198.51.100.1');
    expect(waiting.status).to.equal(200);
    const state = async ({ body }: Answer): Promise<unknown> => {
      await server.waitUntilIdle();
      return (
        (
          await server.app.db.query<{ approved: boolean }>(
            'select approved from users where account_id = (select account_id from durable.access_tokens order by created_at desc limit 1)',
          )
        )[0]?.approved ?? body
      );
    };
    expect(await state(waiting)).to.equal(false);
    expect(await state(await signUp('198.51.101.1'))).to.equal(true);
  });

  it('ends when its time is over', async () => {
    const made = await block({
      ip: '192.0.2.9',
      severity: 'sign_up_block',
      expires_in: '3600',
      comment: ' now ',
    });
    expect(made.comment).to.equal('now');
    expect(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)).to.equal(3_600_000);
    const digest = server.app.contextDependencies.services.addressDigest('192.0.2.9/32');
    await endExpired(server.app.systemContext('spec'), digest);
    expect((await send('GET', `${PATH}/${made.id}`)).status).to.equal(200);
    await send('PUT', `${PATH}/${made.id}`, { expires_in: 1 });
    await eventually(async () => {
      expect((await send('GET', `${PATH}/${made.id}`)).status).to.equal(404);
    });
  });

  it('changes only the given fields, also to another range', async () => {
    const made = await block({
      ip: '192.0.2.20',
      severity: 'sign_up_block',
      expires_in: 3_600,
      comment: 'spam',
    });
    const put = async (body: object): Promise<AdminIpBlock> =>
      (await send('PUT', `${PATH}/${made.id}`, body)).body as AdminIpBlock;
    expect(await put({ severity: 'sign_up_requires_approval' })).to.deep.equal({
      ...made,
      severity: 'sign_up_requires_approval',
    });
    expect(await put({ expires_in: '', comment: '' })).to.include({ expires_at: null, comment: '' });
    const moved = await put({ ip: '192.0.2.21', comment: 'moved' });
    expect(moved).to.include({
      id: made.id,
      ip: '192.0.2.21/32',
      severity: 'sign_up_requires_approval',
      comment: 'moved',
    });
    await server.waitUntilIdle();
    expect(await put({})).to.deep.equal(moved);
    // The old range is free again.
    await block({ ip: '192.0.2.20', severity: 'sign_up_block' });
    const taken = await send('PUT', `${PATH}/${made.id}`, { ip: '192.0.2.20' });
    expect(taken.status).to.equal(422);
  });

  it('keeps addresses out of the log, and erases them when the block ends', async () => {
    const made = await block({ ip: '192.0.2.40', severity: 'no_access', comment: 'somebody' });
    const digest = server.app.contextDependencies.services.addressDigest('192.0.2.40/32');
    const raw = JSON.stringify(
      await server.app.db.query(
        `select stream, data, metadata from eventlog.events where stream = '${ipBlockStream(digest)}'`,
      ),
    );
    expect(raw).to.include(made.id);
    expect(raw).not.to.include('192.0.2.40');
    expect(raw).not.to.include('somebody');
    const { status, body } = await send('DELETE', `${PATH}/${made.id}`);
    expect([status, body]).to.deep.equal([200, {}]);
    expect((await send('DELETE', `${PATH}/${made.id}`)).status).to.equal(404);
    await server.waitUntilIdle();
    const [first] = await server.app.log.readStream(ipBlockStream(digest));
    expect(first?.data).to.include({ ip: '', comment: '' });
  });

  it('refuses a block that would lock out the sender', async () => {
    const own = await send('POST', PATH, { ip: '127.0.0.0/8', severity: 'no_access' });
    expect(own.status).to.equal(422);
    const { id } = await block({ ip: '127.0.0.0/8', severity: 'sign_up_requires_approval' });
    expect((await send('PUT', `${PATH}/${id}`, { severity: 'no_access' })).status).to.equal(422);
    await send('DELETE', `${PATH}/${id}`);
  });

  it('lists blocks newest first, in pages', async () => {
    const made: string[] = [];
    for (const ip of ['192.0.2.51', '192.0.2.52', '192.0.2.53']) {
      made.unshift((await block({ ip, severity: 'sign_up_block' })).id);
    }
    const first = await send('GET', `${PATH}?limit=2`);
    expect((first.body as AdminIpBlock[]).map(({ id }) => id)).to.deep.equal(made.slice(0, 2));
    const second = await send('GET', `${PATH}?limit=1&max_id=${made[1]}`);
    expect((second.body as AdminIpBlock[])[0]?.id).to.equal(made[2]);
  });

  it('refuses invalid input and permissions', async () => {
    for (const [given, error] of [
      [{ ip: '1.2.3.4' }, "Severity is not included in the list, Severity can't be blank"],
      [{ ip: '' }, "Severity is not included in the list, Ip can't be blank, Severity can't be blank"],
      [{ ip: null, severity: 'exile' }, "Severity is not included in the list, Ip can't be blank"],
      [{ ip: 'odd', severity: 'no_access' }, "Ip can't be blank"],
    ] as const)
      expect((await send('POST', PATH, given)).body).to.include({ error: `Validation failed: ${error}` });
    for (const body of [
      { ip: 'example.org' },
      { ip: '1.2.3.4/33' },
      { ip: '1.2.3.4/-1' },
      { ip: '1.2.3.4/8/8' },
      { ip: '1.2.3' },
      { ip: '::1/129' },
      { ip: '::ffff:1.2.3.4/90' },
      { ip: 'fe80::1%eth0' },
      { ip: 7 },
      { ip: '1.2.3.4', severity: 'exile' },
      { ip: '1.2.3.4', comment: 'x'.repeat(1_001) },
      { ip: '1.2.3.4', expires_in: -1 },
      { ip: '1.2.3.4', expires_in: 'soon' },
      { ip: '1.2.3.4', expires_in: 1e12 },
    ]) {
      const answer = await send('POST', PATH, { severity: 'sign_up_block', ...body });
      expect(answer.status, JSON.stringify(body).slice(0, 60)).to.equal(422);
    }
    for (const [method, path] of [
      ['GET', PATH],
      ['GET', `${PATH}/1`],
      ['POST', PATH],
      ['PUT', `${PATH}/1`],
      ['DELETE', `${PATH}/1`],
    ] as const) {
      const { status } = await send(
        method,
        path,
        method === 'GET' ? undefined : { severity: 'no_access' },
        mod,
      );
      expect(status, `${method} ${path}`).to.equal(403);
    }
    expect((await send('GET', `${PATH}/1`)).status).to.equal(404);
  });
});
