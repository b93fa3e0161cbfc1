import { expect } from 'chai';
import sharp from 'sharp';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const HERE = 'https://rookery.example';
const ACTIVITY = { Accept: 'application/activity+json' };

describe('The paths of Mastodon beside its API', () => {
  let server: TestServer;
  let alice: TestUser;
  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call('GET', path, { headers });

  it('serve the account as a document at every tab of its profile', async () => {
    for (const tab of ['', '/with_replies', '/media', '/featured', '/collections', '/tagged/rook']) {
      const { status, body } = await get(`/@alice${tab}`, ACTIVITY);
      expect([status, body.id], tab).to.deep.equal([200, `${HERE}/users/alice`]);
    }
    for (const list of ['followers', 'following']) {
      const { body } = await get(`/@alice/${list}`, ACTIVITY);
      expect(body).to.include({ id: `${HERE}/users/alice/${list}`, type: 'OrderedCollection' });
      const page = await get(`/@alice/${list}`, { Accept: 'text/html' });
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
    }
    expect((await get('/@nobody/with_replies', ACTIVITY)).status).to.equal(404);
  });

  it("include in an account's document its address and the hashtags of its biography", async () => {
    const note = 'About #Rooks';
    await server.call('PATCH', '/api/v1/accounts/update_credentials', { token: alice.token, body: { note } });
    const { body } = await get('/@alice', ACTIVITY);
    expect(body).to.include({ webfinger: 'alice@rookery.example', memorial: false });
    expect(body['@context']).to.include('https://purl.archive.org/socialweb/webfinger');
    expect(body.tag).to.deep.equal([{ type: 'Hashtag', href: `${HERE}/tags/rooks`, name: '#rooks' }]);
  });

  it('serve a hashtag as a collection without contents', async () => {
    expect((await get('/tags/Rook', ACTIVITY)).status).to.equal(404);
    await server.call('POST', '/api/v1/statuses', { token: alice.token, body: { status: 'A #rook' } });
    const { headers, body } = await get('/tags/Rook', ACTIVITY);
    expect(headers.get('content-type')).to.match(/^application\/activity\+json/);
    expect(body)
      .to.include({ id: `${HERE}/tags/rook`, type: 'OrderedCollection' })
      .and.not.have.key('items');
    expect((await get('/tags/-', ACTIVITY)).status).to.equal(404);
  });

  it('serve the feed of posts under both names of an account', async () => {
    const [one, other] = await Promise.all([get('/users/alice.rss'), get('/@alice.rss')]);
    expect(one.headers.get('content-type')).to.match(/^application\/rss\+xml/);
    expect(one.body).to.equal(other.body);
    expect((await get('/users/nobody.rss')).status).to.equal(404);
  });

  it('serve WebFinger and host-meta by their suffixes, and host-meta as JSON on request', async () => {
    const path = '/.well-known/webfinger';
    const query = 'resource=acct:alice@rookery.example';
    expect((await get(`${path}.json?${query}`)).body).to.deep.equal((await get(`${path}?${query}`)).body);
    const xml = await get('/.well-known/host-meta.xml');
    expect(xml.headers.get('content-type')).to.match(/^application\/xrd\+xml/);
    for (const json of [
      await get('/.well-known/host-meta.json'),
      await get('/.well-known/host-meta', { Accept: 'application/json' }),
    ]) {
      expect(json.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(json.body.links[0].rel).to.equal('lrdd');
    }
  });

  it('link the avatar in WebFinger', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('avatar', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png');
    const changed = await server.call('PATCH', '/api/v1/profile', { token: alice.token, body: form });
    const query = 'resource=acct:alice@rookery.example&rel=http://webfinger.net/rel/avatar';
    expect((await get(`/.well-known/webfinger?${query}`)).body.links).to.deep.equal([
      { rel: 'http://webfinger.net/rel/avatar', type: 'image/png', href: changed.body.avatar as string },
    ]);
  });

  it('serve a manifest of a web app', async () => {
    const { status, body } = await get('/manifest');
    expect(status).to.equal(200);
    expect(body).to.include({ name: 'rookery.example', start_url: '/', scope: '/', display: 'standalone' });
  });

  it('report no campaign for donations, to users only', async () => {
    const path = '/api/v1/donation_campaigns';
    const { status, body } = await server.call('GET', path, { token: alice.token });
    expect([status, body]).to.deep.equal([204, '']);
    expect((await get(path)).status).to.equal(422);
  });
});
