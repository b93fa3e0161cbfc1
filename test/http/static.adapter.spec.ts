import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { isMediaKey } from '#adapters/media/keys.ts';
import { placeholders } from '#adapters/media/placeholders.ts';
import { openMediaStore } from '#adapters/media/store.ts';
import { createStaticRouter } from '#interfaces/http/static.ts';
import type { MediaStore } from '#kernel/services/media.ts';
import { serve, type Served } from '../support/serve.ts';

describe('Static files', () => {
  let dataDir: string;
  let store: MediaStore;
  let served: Served;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-files-'));
    store = openMediaStore({ dataDir });
    await writeFile(join(dataDir, 'keys.json'), 'secret');
    const options = { media: { dir: join(dataDir, 'media') }, isMediaKey, placeholders };
    served = await serve((app) => app.use(createStaticRouter(options)));
  });

  after(async () => {
    await served.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const put = (text: string, extension: string) =>
    store.put(Buffer.from(text), { extension, contentType: 'unused' });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${served.origin}${path}`, { headers });

  /** Requests the path as it is. fetch would normalise it and ask caches to be bypassed. */
  const getRaw = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({ port: served.port, host: '127.0.0.1', path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });

  it('include an icon for browsers that request the default one', async () => {
    const response = await get('/favicon.ico');
    expect(response.headers.get('content-type')).to.equal('image/png');
    const { width, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect({ format, hasWidth: width > 0 }).to.deep.equal({ format: 'png', hasWidth: true });
  });

  it('keep crawlers away from paths without pages', async () => {
    const response = await get('/robots.txt');
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const lines = (await response.text()).split('\n');
    expect(lines)
      .to.include('User-agent: *')
      .and.to.include('Disallow: /api/')
      .and.not.to.include('Disallow: /');
  });

  it('are cacheable for ever, usable from any site, and run no scripts when they come from the media store', async () => {
    const response = await get(`/media/${await put('a picture', 'png')}`);
    expect(response.status).to.equal(200);
    expect(await response.text()).to.equal('a picture');
    expect(Object.fromEntries(response.headers)).to.include({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
  });

  it('are served in ranges, as video players request them', async () => {
    const path = `/media/${await put('0123456789', 'mp4')}`;
    const part = await get(path, { Range: 'bytes=2-4' });
    expect(part.status).to.equal(206);
    expect(part.headers.get('content-range')).to.equal('bytes 2-4/10');
    expect(await part.text()).to.equal('234');
    const beyond = await get(path, { Range: 'bytes=20-' });
    expect(beyond.status).to.equal(416);
    expect(beyond.headers.get('content-range')).to.equal('bytes */10');
    expect(beyond.headers.get('cache-control')).to.equal('no-store');
    expect(beyond.headers.get('content-type')).to.match(/^application\/json/);
    expect(await beyond.json()).to.deep.equal({ error: 'Range Not Satisfiable' });
  });

  it('are not sent again to clients that have them', async () => {
    const path = `/media/${await put('kept', 'webp')}`;
    const since = (await get(path)).headers.get('last-modified') ?? '';
    expect(await getRaw(path, { 'If-Modified-Since': since })).to.equal(304);
  });

  for (const extension of ['html', 'svg', 'js', 'xml', 'exe']) {
    it(`are served as downloads that a browser does not run when they end in .${extension}`, async () => {
      const { headers, status } = await get(`/media/${await put('<script>alert(1)</script>', extension)}`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('application/octet-stream');
      expect(headers.get('content-disposition')).to.equal('attachment');
    });
  }

  it('are answered with an uncacheable 404 when missing', async () => {
    const key = await put('gone', 'png');
    await store.remove(key);
    const response = await get(`/media/${key}`);
    expect(response.status).to.equal(404);
    expect(await response.json()).to.deep.equal({ error: 'Record not found' });
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  for (const path of [
    '/media/../keys.json',
    '/media/..%2fkeys.json',
    '/media/ab/cd/..%2f..%2f..%2fkeys.json',
    '/media/%2e%2e/%2e%2e/keys.json',
    '/media/ab/cd/%00.png',
    '/media/tmp/x/y',
    '/media/',
  ]) {
    it(`come from the media store only, so ${path} is refused`, async () => {
      expect(await getRaw(path)).to.equal(404);
    });
  }

  it('replace the avatar or header that an account does not have', async () => {
    const sizes = [];
    for (const kind of ['avatars', 'headers']) {
      const response = await get(`/${kind}/original/missing.png`);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/png');
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      sizes.push({ width, height, format });
    }
    expect(sizes).to.deep.equal([
      { width: 400, height: 400, format: 'png' },
      { width: 1500, height: 500, format: 'png' },
    ]);
  });
});
