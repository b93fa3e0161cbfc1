import { expect } from 'chai';
import { changeSettings, settingDefaults } from '#commands/instance/index.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { authorizePath, Browser, registerApp } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { BROWSER } from '../pages/support.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const STYLE = '/assets/accent-7a3b8f.css';

describe('The accent colour of a server', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
    await server.user('alice');
  });
  after(() => server.close());

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(server.app, 'settings', ...args);
  const styles = async (path: string, browser = new Browser(server)): Promise<string[]> =>
    load((await browser.open(path)).body as string)
      .all('link', { rel: 'stylesheet' })
      .map(({ attributes }) => attributes['href'] ?? '');

  it('is linked after the style of all pages once it is set, and not before', async () => {
    const alice = new Browser(server, { Accept: BROWSER });
    await alice.open('/auth/sign_in');
    await alice.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    const request = authorizePath(await registerApp(server));
    expect(await styles('/')).to.have.length(1);
    expect((await rookery('set', 'accent_color', ' #7A3B8F ')).code).to.equal(0);
    for (const [path, browser] of [
      ['/', undefined],
      ['/nothing-here', alice],
      ['/settings', alice],
      ['/auth/sign_in', undefined],
      [request, undefined],
    ] as const) {
      const [common, accent, ...more] = await styles(path, browser);
      expect([accent, more], path).to.deep.equal([STYLE, []]);
      expect(common, path).to.match(/^\/assets\/style-/);
    }
    expect((await rookery('reset', 'accent_color')).code).to.equal(0);
    expect(await styles('/')).to.have.length(1);
    expect(await styles(request)).to.have.length(1);
  });

  it('has a file that browsers keep for ever', async () => {
    const { status, headers, body } = await server.call('GET', STYLE);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/css; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(body).to.contain('--accent:#7a3b8f');
  });

  for (const name of ['7A3B8F', '7a3b8', '7a3b8f0', 'zzzzzz', '%237a3b8f', '..%2fstyle', '7a3b8f%0a', '']) {
    it(`has no file for text that is no colour: ${name || 'empty'}`, async () => {
      expect((await server.call('GET', `/assets/accent-${name}.css`)).status).to.equal(404);
    });
  }

  it('is refused when it is no colour, which changes nothing', async () => {
    const before = await instanceSettings(server.app.db);
    for (const text of ['red', '#fff', '7a3b8f', '#7a3b8g', '#7a3b8f00', 'url(x)']) {
      const { code, stderr } = await rookery('set', 'accent_color', text);
      expect([code === 0, stderr], text).to.deep.equal([
        false,
        'accent_color must be a colour such as #7a3b8f\n',
      ]);
    }
    expect(await instanceSettings(server.app.db)).to.deep.equal(before);
  });

  it('is null by default, also after an empty text', async () => {
    await changeSettings(server.app.systemContext('spec'), { accent_color: '#123456' });
    expect((await rookery('set', 'accent_color', '')).code).to.equal(0);
    expect((await instanceSettings(server.app.db)).accent_color).to.equal(null);
    expect(settingDefaults('accent_color')).to.deep.equal({ accent_color: null });
  });
});
