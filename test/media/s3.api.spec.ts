import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import S3rver from 's3rver';
import { openS3MediaStore, type S3MediaStore } from '#adapters/media/s3-store.ts';
import type { S3Config } from '#config/config.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { patience } from '../support/deadlines.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

/** Milliseconds until a request that gets no answer fails. */
const DEADLINE = patience(1_000);

describe('Media in a bucket', function () {
  this.timeout(60_000);
  let folder: string;
  let bucket: S3rver;
  let config: S3Config;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-s3-'));
    bucket = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 'buckets'),
      configureBuckets: [{ name: 'media', configs: [] }],
    });
    const { port } = await bucket.run();
    config = {
      bucket: 'media',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      publicOrigin: undefined,
    };
  });
  after(async () => {
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe('as a store', () => {
    let store: S3MediaStore;
    const png = { extension: 'png', contentType: 'image/png', owner: '1' };
    before(() => {
      store = openS3MediaStore(config);
    });
    after(() => store.close());

    it('returns what was stored, whole and in parts', async () => {
      const key = await store.put(Buffer.from('0123456789'), png);
      expect(key).to.match(/^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}\.png$/);
      const whole = await store.read(key);
      expect(whole?.size).to.equal(10);
      expect(String(await buffer(whole!.stream))).to.equal('0123456789');
      const part = await store.read(key, 'bytes=2-4');
      expect(part).to.include({ size: 3, contentRange: 'bytes 2-4/10' });
      expect(String(await buffer(part!.stream))).to.equal('234');
    });

    it('stores files from the disk under the same name, and writes them there', async () => {
      const path = join(folder, 'upload');
      const data = Buffer.alloc(3_000_000, 'abc');
      await writeFile(path, data);
      const key = await store.putFile(path, png);
      expect(key).to.equal(await store.put(data, png));
      expect(await store.putFile(path, { ...png, owner: '2' }), 'somebody else’s').not.to.equal(key);
      await store.fetch(key, join(folder, 'download'));
      expect((await readFile(join(folder, 'download'))).equals(data)).to.equal(true);
    });

    it('removes files, and ignores missing ones', async () => {
      const key = await store.put(Buffer.from('x'), png);
      await store.remove(key);
      await store.remove(key);
      expect(await store.read(key)).to.equal(null);
      const error = await store.fetch(key, join(folder, 'nothing')).catch((reason: unknown) => reason);
      expect(isRookeryError(error) && error.code).to.equal('not_found');
    });

    it('requests no key that it cannot have created', async () => {
      for (const key of ['../x', '', `aa/aa/${'b'.repeat(64)}.png`]) {
        const error = await store.read(key).catch((reason: unknown) => reason);
        expect(isRookeryError(error) && error.code, key).to.equal('not_found');
      }
    });
  });

  describe('when the service fails', () => {
    const png = { extension: 'png', contentType: 'image/png', owner: '1' };
    let path: string;
    let service: Server;
    let answer: RequestListener;
    let store: S3MediaStore;
    before(async () => {
      path = join(folder, 'to-fail');
      await writeFile(path, Buffer.alloc(3_000_000, 'abc'));
      service = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1');
      await once(service, 'listening');
      const { port } = service.address() as AddressInfo;
      store = openS3MediaStore({ ...config, endpoint: `http://127.0.0.1:${port}` }, DEADLINE);
    });
    after(() => {
      store.close();
      service.closeAllConnections();
      service.close();
    });

    it('leaves no file open after a failed upload', async () => {
      answer = (req, res) => void res.writeHead(req.method === 'HEAD' ? 404 : 403).end();
      await Promise.all(
        ['1', '2', '3'].map(async (owner) => {
          const error = await store.putFile(path, { ...png, owner }).catch((reason: unknown) => reason);
          expect(error).to.be.instanceOf(Error);
        }),
      );
      await eventually(async () => expect(await handlesOf(path)).to.equal(0));
    });

    it('times out when the service does not respond', async () => {
      answer = () => undefined;
      const key = `aa/aa/${'a'.repeat(64)}.png`;
      const failed = async (work: Promise<unknown>): Promise<void> => {
        expect(await work.catch((reason: unknown) => reason)).to.be.instanceOf(Error);
      };
      const put = store.put(Buffer.from('x'), png);
      const tries = [put, store.putFile(path, png), store.read(key), store.remove(key)];
      await Promise.all(tries.map(failed));
      answer = (_req, res) => void res.writeHead(200, { 'Content-Length': 100 }).write('x');
      await failed(store.fetch(key, join(folder, 'never')));
      answer = (_req, res) =>
        setTimeout(() => res.end('late'), 1.5 * DEADLINE) && res.writeHead(200).write('x');
      expect(String(await buffer((await store.read(key))!.stream)), 'bodies take their time').to.equal(
        'xlate',
      );
    });
  });

  describe('in a whole server', () => {
    let server: TestServer;
    let token: string;
    const settings = (): Record<string, string> => ({
      S3_ENABLED: 'true',
      S3_BUCKET: 'media',
      S3_ENDPOINT: config.endpoint ?? '',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    });
    before(async () => {
      server = await startTestServer(settings());
      ({ token } = await server.user('alice'));
    });
    after(() => server.close());

    it('is served as safely as media on the disk', async () => {
      const { body } = await server.call('POST', '/api/v2/media', {
        token,
        body: uploadForm(await picture(200, 100)),
      });
      const url = `${server.url}${new URL(body.url as string).pathname}`;
      const whole = await fetch(url);
      expect(whole.status).to.equal(200);
      const data = Buffer.from(await whole.arrayBuffer());
      expect(data.subarray(0, 3).toString('hex')).to.equal('ffd8ff');
      expect(Object.fromEntries(whole.headers)).to.include({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const part = await fetch(url, { headers: { Range: 'bytes=0-9' } });
      expect(part.status).to.equal(206);
      expect(part.headers.get('content-range')).to.equal(`bytes 0-9/${data.length}`);
      expect((await part.arrayBuffer()).byteLength).to.equal(10);
      const head = await fetch(url, { method: 'HEAD' });
      expect(head.headers.get('content-length')).to.equal(String(data.length));
      const etag = whole.headers.get('etag') ?? '';
      expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
      await server.call('DELETE', `/api/v1/media/${body.id}`, { token });
      expect((await fetch(url)).status).to.equal(404);
    });
  });

  it('has addresses of the host that serves it, if there is one', async () => {
    const server = await startTestServer({
      S3_ENABLED: 'true',
      S3_BUCKET: 'media',
      S3_ENDPOINT: config.endpoint ?? '',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      S3_ALIAS_HOST: 'files.example',
    });
    try {
      const { token } = await server.user('alice');
      const { body } = await server.call('POST', '/api/v2/media', {
        token,
        body: uploadForm(await picture(20, 10)),
      });
      expect(body.url).to.match(/^https:\/\/files\.example\/[0-9a-f]{2}\//);
    } finally {
      await server.close();
    }
  });
});

/** Counts how often a file is open in this process. */
async function handlesOf(path: string): Promise<number> {
  const folder = '/proc/self/fd';
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')));
  return files.filter((file) => file === path).length;
}
