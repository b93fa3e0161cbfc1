import { expect } from 'chai';
import { describeTown } from '../support/people.ts';
import { BROWSER, open } from './support.ts';

describeTown('Unknown paths', function (town) {
  this.timeout(60_000);

  const ask = async (path: string, accept?: string, method = 'GET') => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const answer = await fetch(`${town.url}${path}`, { method, headers });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, text: await answer.text(), headers: answer.headers };
  };

  for (const path of ['/nothing', '/nothing/here', '/settings/nothing', '/oauth/nothing', '/deck/home']) {
    it(`get a page with status 404 in a browser: ${path}`, async () => {
      const { status, headers, page } = await open(town, path);
      expect(status).to.equal(404);
      expect(headers.get('content-type')).to.match(/^text\/html/);
      expect(headers.get('vary')).to.equal('Accept, Cookie, Accept-Encoding');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(page.one('h1')?.text).to.equal('Not found');
      expect(page.meta('robots')).to.equal('noindex, noarchive');
    });
  }

  it('get a page with status 404 for a form of a browser', async () => {
    const { status, type } = await ask('/nothing', BROWSER, 'POST');
    expect({ status, type }).to.deep.equal({ status: 404, type: 'text/html; charset=utf-8' });
  });

  it('get a page with status 400 in a browser when the address is malformed', async () => {
    const { status, type } = await ask('/nothing/%ff', BROWSER);
    expect({ status, type }).to.deep.equal({ status: 400, type: 'text/html; charset=utf-8' });
  });

  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    it(`get JSON in a program: Accept ${accept ?? 'missing'}`, async () => {
      const { status, type, text } = await ask('/nothing', accept);
      expect(status).to.equal(404);
      expect(type).to.match(/^application\/json/);
      expect(JSON.parse(text)).to.deep.equal({ error: 'Not Found' });
    });
  }

  it('get JSON below /api, whatever is preferred', async () => {
    const { status, type } = await ask('/api/v1/nothing', BROWSER);
    expect(status).to.equal(404);
    expect(type).to.match(/^application\/json/);
  });

  for (const path of ['/home', '/settings/profile', '/settings/preferences', '/start']) {
    it(`lead strangers from a page of users to the sign-in and back: ${path}`, async () => {
      const { status, headers } = await open(town, path);
      const location = `/auth/sign_in?${new URLSearchParams({ return_to: path }).toString()}`;
      expect({ status, location: headers.get('location') }).to.deep.equal({ status: 303, location });
    });
  }

  const moved = {
    '/web': '/',
    '/web/home': '/home',
    '/web/timelines/home': '/home',
    '/web/timelines/public/local': '/public/local',
    '/web/timelines/direct': '/conversations',
    '/web/public/remote': '/public/remote',
    '/web/explore': '/explore',
    '/web/getting-started': '/',
    '/web/constructor': '/',
    '/web/@alice': '/@alice',
    '/web/@alice@far.example/1': '/@alice@far.example/1',
    '/web/tags/rooks': '/tags/rooks',
    '/web//far.example': '/',
    '/settings/privacy': '/settings/profile',
    '/settings/preferences/appearance': '/settings/preferences',
  };
  it('lead strangers from a page of the web client to the sign-in page, and back', async () => {
    const { status, headers } = await open(town, '/home');
    expect({ status, location: headers.get('location') }).to.deep.equal({
      status: 303,
      location: '/auth/sign_in?return_to=%2Fhome',
    });
  });

  for (const path of ['/public', '/public/local', '/explore', '/search']) {
    it(`have become pages for everybody: ${path}`, async () => {
      expect((await open(town, path)).status).to.equal(200);
    });
  }

  for (const [path, now] of Object.entries(moved)) {
    it(`redirect to a page that Mastodon has there: ${path} to ${now}`, async () => {
      const { status, headers } = await open(town, path);
      expect({ status, location: headers.get('location') }).to.deep.equal({ status: 302, location: now });
    });
  }
});
