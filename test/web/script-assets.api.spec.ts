import { request } from 'node:http';
import { once } from 'node:events';
import { brotliDecompressSync } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { script } from '../../src/interfaces/web/browser/script.ts';
import { stylesheet } from '../../src/interfaces/web/design/stylesheet.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

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
});
