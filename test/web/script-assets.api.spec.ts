import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { script } from '#interfaces/web/browser/script.ts';
import { stylesheet } from '#interfaces/web/design/stylesheet.ts';
import { alertOf } from '../account-pages/support.ts';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Tokens and ids differ from page to page. */
const withoutTokens = (page: string): string => page.replaceAll(/value="[\w-]{18,}"/g, '');

describe('The script and the style sheet', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => (server = await startTestServer()));
  after(() => server.close());

  const fetched = async (path: string, encoding?: string) => {
    const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding };
    const [reply] = (await once(request(`${server.url}${path}`, { headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    return { headers: reply.headers, body: Buffer.concat(chunks) };
  };

  for (const { path, text } of [script, stylesheet]) {
    it(`are kept for ever, and compressed for browsers that take it: ${path.replace(/-.*\./, '.')}`, async () => {
      for (const encoding of [undefined, 'gzip', 'br;q=0']) {
        const { headers, body } = await fetched(path, encoding);
        expect(headers['content-encoding'], encoding).to.equal(undefined);
        expect(headers['cache-control']).to.include('immutable');
        expect(headers.vary).to.equal('Accept-Encoding');
        expect(body.toString()).to.equal(text);
      }
      const { headers, body } = await fetched(path, 'gzip, deflate, br');
      expect(headers['content-encoding']).to.equal('br');
      expect(headers['content-type']).to.match(/javascript|css/);
      expect(body.length).to.be.lessThan(text.length / 3);
      expect(brotliDecompressSync(body).toString()).to.equal(text);
    });
  }

  it('come with pages that are compressed for browsers that take it', async () => {
    const plain = await fetched('/');
    expect(plain.headers['content-encoding']).to.equal(undefined);
    for (const [encoding, unpacked] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await fetched('/', encoding);
      expect(headers['content-encoding']).to.equal(encoding);
      expect(headers.vary).to.include('Accept-Encoding');
      expect(body.length).to.be.lessThan(plain.body.length / 2);
      expect(withoutTokens(unpacked(body).toString())).to.equal(withoutTokens(plain.body.toString()));
    }
  });

  it('come with forms whose token differs from page to page', async () => {
    const browser = new Browser(server);
    const tokens: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const page = load((await browser.open('/auth/sign_in')).body as string);
      tokens.push(page.one('input', { name: 'csrf_token' })?.attributes['value'] ?? '');
    }
    expect(tokens[0]).to.match(/^[\w-]{80,}$/);
    expect(tokens[0]).to.not.equal(tokens[1]);
    for (const csrf_token of tokens) {
      const fields = { csrf_token, login: 'nobody', password: 'wrong' };
      expect(alertOf(await browser.post('/auth/sign_in', fields))).to.include('password');
    }
    const guessed = { csrf_token: 'A'.repeat(86), login: 'nobody', password: 'wrong' };
    expect((await browser.post('/auth/sign_in', guessed)).status).to.equal(403);
  });
});
