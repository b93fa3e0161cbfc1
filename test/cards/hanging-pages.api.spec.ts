import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { startWebPage, type WebPage } from '../support/web-page.ts';
import { postLink } from './scene.ts';

/** More than the cards that are fetched at a time. */
const HANGING = 40;
/** The maximum of one owner. */
const PER_OWNER = 8;

describe('Preview cards beside pages that hang', function () {
  this.timeout(120_000);
  let server: TestServer;
  let alice: TestUser;
  let web: WebPage;
  const open = new Set<ServerResponse>();
  let most = 0;

  before(async () => {
    web = await startWebPage();
    server = await startTestServer({ ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    alice = await server.user('alice');
    web.answer = (req, res) => {
      if (req.url !== '/hangs') {
        return void res.setHeader('Content-Type', 'text/html').end('<title>Here</title>');
      }
      open.add(res);
      most = Math.max(most, open.size);
      res.once('close', () => open.delete(res));
    };
  });
  after(async () => {
    web.close();
    await server.close();
  });

  const post = (url: string, host: string): Promise<string> =>
    postLink(server, { accountId: alice.id, url, host });
  const titleOf = async (id: string): Promise<string | undefined> => {
    const { body } = await server.call('GET', `/api/v1/statuses/${id}`, { token: alice.token });
    return (body as Status).card?.title;
  };

  it('appear while other pages do not answer, however many of them one server links to', async () => {
    for (let n = 0; n < HANGING; n += 1) await post(web.here('/hangs', `127.2.0.${n}`), 'crowd.example');
    await eventually(() => expect(open.size).to.be.greaterThan(1));
    const id = await post(web.here('/answers', '127.1.0.1'), 'other.example');
    await eventually(async () => expect(await titleOf(id)).to.equal('Here'));
    expect(open.size, 'pages that still hang').to.be.greaterThan(0);
    expect(most).to.be.at.most(PER_OWNER);
    expect(web.requests.filter((path) => path === '/hangs').length, 'most were not asked yet').to.be.lessThan(
      HANGING,
    );
  });

  it('appear while the pages of many servers do not answer', async () => {
    for (let n = 0; n < HANGING; n += 1) await post(web.here('/hangs', `127.3.0.${n}`), `crowd${n}.example`);
    await eventually(() => expect(open.size).to.be.greaterThan(PER_OWNER));
    const id = await post(web.here('/answers-too', '127.1.0.2'), 'other.example');
    await eventually(async () => expect(await titleOf(id)).to.equal('Here'));
    expect(open.size, 'pages that still hang').to.be.greaterThan(PER_OWNER);
  });
});
