import { expect } from 'chai';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { BROWSER } from '../pages/support.ts';
import { describeTown } from '../support/people.ts';

const WEB_PAGES = [...accountPages, ...consolePages, ...clientPages];
const NAMES = [
  'q',
  'url',
  'type',
  'max_id',
  'min_id',
  'page',
  'token',
  'code',
  'return_to',
  'resource',
  'host',
];
/** Pages and documents that are no values of `WebPage`. */
const OTHERS = [
  ...['', '/with_replies', '/media', '/followers', '/following', '/tagged/:tag', '/:id', '/featured'].map(
    (rest) => `/@:name${rest}`,
  ),
  ...['/@:name.rss', '/@:name/tagged/:tag.rss', '/users/:name.rss', '/tags/:tag', '/tags/:tag.rss'],
  ...['', '/outbox', '/followers', '/following', '/followers_synchronization', '/statuses/:id'].map(
    (rest) => `/users/:name${rest}`,
  ),
  ...['/users/:name/collections/featured', '/users/:name/quote_authorizations/:id', '/emojis/:name'],
  ...['/ap/users/:id/collections/:id', '/ap/:id/collections/:id', '/contexts/:id', '/collections/:id'],
  ...['/terms-of-service/:date', '/web/:path', '/.well-known/webfinger', '/oauth/authorize'],
  ...['/oauth/authorize/native', '/oauth/token/info', '/oauth/userinfo', '/nothing/:id', '/about', '/'],
  ...['/media/:path', '/assets/:path', '/actor', '/manifest', '/web/streaming', '/health', '/metrics'],
];
const PATHS = [...new Set([...WEB_PAGES.map(({ path }) => path), ...OTHERS])];
const IN_PATHS = ['%00', 'x%00y', 'a%00@far.example', '1%00', '%ff', '%E0%A4', '%', '%ED%A0%80'];
const IN_QUERIES = ['%00', 'x%00y'];

const fill = (path: string, value: string): string => path.replaceAll(/:\w+/g, value);
const addressesOf = (path: string): string[] => [
  ...(path.includes(':') ? IN_PATHS.map((value) => fill(path, value)) : []),
  ...IN_QUERIES.map((value) => `${fill(path, '1')}?${NAMES.map((name) => `${name}=${value}`).join('&')}`),
  `${fill(path, '1')}?a%00=1`,
];

describeTown('An address that decodes to no text', function (town) {
  this.timeout(120_000);
  let owner: Browser;
  let stranger: Browser;

  before(async () => {
    await town.staff('alice', 'Owner');
    await town.waitUntilIdle();
    owner = await signedIn(town.server, 'alice');
    owner.headers['Accept'] = BROWSER;
    stranger = new Browser(town.server);
  });

  for (const path of PATHS) {
    it(`is refused as the client's mistake, for strangers and staff: ${path}`, async () => {
      for (const address of addressesOf(path)) {
        const statuses = [(await owner.open(address)).status, (await stranger.open(address)).status];
        expect(statuses, address).to.deep.equal([400, 400]);
      }
    });
  }

  it('is refused with a page in a browser', async () => {
    for (const address of ['/@x%00@y.example', '/explore/links/posts?url=%00', '/@%ff']) {
      const { status, headers, body } = await owner.open(address);
      expect([status, headers.get('content-type')], address).to.deep.equal([400, 'text/html; charset=utf-8']);
      expect(load(String(body)).all('h1')).to.have.length(1);
    }
  });

  it('is refused in JSON for a program', async () => {
    for (const path of [
      '/users/%00',
      '/.well-known/webfinger?resource=acct:a%00@b.example',
      '/nothing/%ff',
    ]) {
      const { status, body } = await town.nobody
        .get(path)
        .then(({ json, ...rest }) => ({ ...rest, body: json }));
      expect({ status, body }, path).to.deep.equal({ status: 400, body: { error: 'The URL is malformed' } });
    }
  });

  it('is refused for a form too', async () => {
    for (const { path } of WEB_PAGES.filter(({ submit }) => submit !== undefined)) {
      for (const address of addressesOf(path).filter((each) => each.includes('%00'))) {
        expect((await owner.post(address, { csrf_token: 'x' })).status, address).to.equal(400);
      }
    }
  });

  it('is none whose escapes of a query are merely unusual', async () => {
    for (const address of ['/about?utm=%E9', '/about?q=100%', '/about?q=%0A%1F%7F', '/tags/%C3%A9t%C3%A9']) {
      expect((await stranger.open(address)).status, address).to.equal(200);
    }
  });
});

describeTown('A form with a text that cannot be stored', function (town) {
  this.timeout(120_000);
  let owner: Browser;

  before(async () => {
    await town.staff('alice', 'Owner');
    owner = await signedIn(town.server, 'alice');
  });

  for (const { path, submit } of WEB_PAGES) {
    if (!submit) continue;
    it(`is refused as the client's mistake and changes nothing: ${path}`, async () => {
      const before = await town.events();
      const { body } = await owner.open('/settings/security');
      const csrf_token = load(String(body)).one('input', { name: 'csrf_token' })?.attributes['value'];
      for (const text of ['\0', 'x\0y']) {
        const fields = Object.fromEntries(NAMES.map((name) => [name, text]));
        const { status } = await owner.post(fill(path, '1'), { csrf_token, ...fields });
        expect(status, path).to.equal(400);
      }
      expect(await town.events()).to.equal(before);
    });
  }
});
