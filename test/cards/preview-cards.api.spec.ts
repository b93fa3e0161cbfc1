import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { status } from '#commands/statuses/status.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { still } from '../support/pictures.ts';
import { shownAt } from '../support/remote-media.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { startWebPage, type WebPage } from '../support/web-page.ts';
import { postLink } from './scene.ts';

describe('Preview cards', () => {
  let server: TestServer;
  let alice: TestUser;
  let web: WebPage;
  before(async function () {
    this.timeout(120_000);
    web = await startWebPage();
    server = await startTestServer({ ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1' });
    alice = await server.user('alice');
  });
  beforeEach(() => (web.requests = []));
  after(async () => {
    await server.close();
    web.close();
  });

  const here = (path: string, host?: string): string => web.here(path, host);
  const page =
    (head: string): RequestListener =>
    (_req, res) =>
      void res.setHeader('Content-Type', 'text/html; charset=utf-8').end(`<html><head>${head}</head></html>`);
  const post = (url: string): Promise<string> => postLink(server, { accountId: alice.id, url });
  const show = async (id: string): Promise<Status> => {
    await server.waitUntilIdle();
    return (await server.call('GET', `/api/v1/statuses/${id}`, { token: alice.token })).body as Status;
  };

  it('show the metadata of the page and a picture served by this server', async () => {
    const picture = await still('teal', { width: 320, height: 200 });
    web.answer = (req, res) => {
      if (req.url === '/rook.png') res.setHeader('Content-Type', 'image/png').end(picture);
      else
        page(
          '<title>Rooks</title><meta property="og:image" content="/rook.png"><meta name="author" content="Ann">',
        )(req, res);
    };
    const { card } = await show(await post(here('/full')));
    expect(card).to.deep.include({
      url: here('/full'),
      title: 'Rooks',
      type: 'link',
      width: 320,
      height: 200,
      author_name: 'Ann',
      language: null,
      missing_attribution: false,
      authors: [{ name: 'Ann', url: '', account: null }],
    });
    expect(card?.blurhash).to.be.a('string');
    expect(card?.image).to.equal(shownAt('https://rookery.example', 'cards', here('/rook.png')));
    const stored = await fetch(`${server.url}${new URL(card!.image!).pathname}`);
    expect([stored.status, stored.headers.get('content-type')?.startsWith('image/')]).to.deep.equal([
      200,
      true,
    ]);
  });

  it('fetch a page once for many posts, also when it fails', async () => {
    web.answer = page('<title>Once</title>');
    const ids = await Promise.all(Array.from({ length: 5 }, () => post(here('/once'))));
    for (const id of ids) expect((await show(id)).card?.title).to.equal('Once');
    expect(web.requests).to.deep.equal(['/once']);
    web.answer = (_req, res) => void res.writeHead(500).end();
    expect((await show(await post(here('/broken')))).card).to.equal(null);
    expect((await show(await post(here('/broken')))).card).to.equal(null);
    expect(web.requests).to.deep.equal(['/once', '/broken']);
  });

  it('are not fetched from forbidden addresses, also after a redirect', async () => {
    web.answer = (_req, res) => void res.writeHead(302, { Location: here('/secret', '127.0.0.2') }).end();
    expect((await show(await post(here('/redirect')))).card).to.equal(null);
    expect((await show(await post(here('/direct', '127.0.0.2')))).card).to.equal(null);
    expect(web.requests).to.deep.equal(['/redirect']);
  });

  it('disappear when an edit removes the link', async () => {
    web.answer = page('<title>Gone soon</title>');
    const id = await post(here('/edited'));
    expect((await show(id)).card?.title).to.equal('Gone soon');
    const ctx = server.app.systemContext('tests');
    await ctx.execute(statusStream(id), status, (state): StatusEvent[] => {
      if (state.state === 'none') return [];
      const content = '<p>no link any more</p>';
      const edited_at = new Date().toISOString();
      return [{ type: 'StatusEdited', data: { ...state.data, content, edit_id: ctx.newId(), edited_at } }];
    });
    expect((await show(id)).card).to.equal(null);
  });

  it('come from oEmbed when the page links to it', async () => {
    web.answer = (req, res) => {
      if (req.url !== '/oembed.json') {
        return page(
          '<title>x</title><link rel="alternate" type="application/json+oembed" href="/oembed.json">',
        )(req, res);
      }
      const html = '<iframe src="https://player.vimeo.com/video/1"></iframe>';
      const reply = {
        type: 'video',
        version: '1.0',
        title: 'A film',
        provider_name: 'Vimeo',
        html,
        width: 640,
        height: 360,
      };
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(reply));
    };
    const { card } = await show(await post(here('/film')));
    expect(card).to.deep.include({ type: 'video', title: 'A film', provider_name: 'Vimeo', width: 640 });
    expect(card?.html).to.contain('<iframe src="https://player.vimeo.com/video/1"');
  });
});
