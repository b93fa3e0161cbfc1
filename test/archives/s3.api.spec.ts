import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import S3rver from 's3rver';
import { openS3Files } from '#adapters/account-archive/s3-files.ts';
import type { S3Config } from '#config/config.ts';
import { signedIn } from '../account-pages/support.ts';
import { filesBelow } from '../erasure/traces.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { filesIn, kept, made } from './scene.ts';

const MIB = 1024 * 1024;

describe('Archives in an S3 bucket', function () {
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
      configureBuckets: [{ name: 'files', configs: [] }],
    });
    const { port } = await bucket.run();
    config = {
      bucket: 'files',
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

  it('are uploaded in parts when they are large', async () => {
    const files = openS3Files(config, 5 * MIB);
    const { signal } = new AbortController();
    for (const size of [5 * MIB, 5 * MIB + 1, 12 * MIB]) {
      const data = randomBytes(size);
      const path = join(folder, 'large');
      await writeFile(path, data);
      const name = randomBytes(32).toString('hex');
      expect(await files.put(path, name, signal)).to.deep.equal({ size });
      const stored = await files.read(name);
      expect(stored?.size).to.equal(size);
      expect((await buffer(stored!.stream)).equals(data), String(size)).to.equal(true);
      await files.remove(name);
      expect(await files.read(name)).to.equal(null);
    }
    files.close();
  });

  it('do not exist when their upload was aborted', async () => {
    const files = openS3Files(config, 5 * MIB);
    const path = join(folder, 'broken');
    await writeFile(path, randomBytes(12 * MIB));
    const stopping = new AbortController();
    const name = randomBytes(32).toString('hex');
    const put = files.put(path, name, stopping.signal);
    stopping.abort();
    expect(await put.catch((error: unknown) => error)).to.have.property('name', 'AbortError');
    expect(await files.read(name)).to.equal(null);
    files.close();
  });

  it('are served to their owner by the server, and are encrypted in the bucket', async () => {
    const server = await startTestServer({
      S3_ENABLED: 'true',
      S3_BUCKET: 'files',
      S3_ENDPOINT: config.endpoint ?? '',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      S3_ALIAS_HOST: 'files.example',
    });
    try {
      const { id, token } = await server.user('alice');
      const body = uploadForm(await picture(60, 40));
      const media = await server.call('POST', '/api/v2/media', { token, body });
      const post = { status: 'A picture', media_ids: [media.body.id] };
      await server.call('POST', '/api/v1/statuses', { token, body: post });
      const browser = await signedIn(server, 'alice');
      await browser.open('/settings/export');
      expect((await browser.submit('/settings/export')).status).to.equal(303);
      const archive = await made(server.app, id);
      expect(archive).to.deep.include({ state: 'ready', missing: 0 });
      // The archive is ready a moment before its work folder is deleted.
      await eventually(async () =>
        expect(await kept(server.app.config.dataDir)).to.deep.equal({ files: [], work: [] }),
      );
      const stored = async (): Promise<string[]> =>
        (await filesBelow(join(folder, 'buckets'))).filter((path) => /archives\/[0-9a-f]{64}/.test(path));
      expect(await stored()).not.to.deep.equal([]);

      const cookie = browser.cookieHeader;
      const answer = await fetch(`${server.url}/settings/export/archive`, { headers: { Cookie: cookie } });
      expect(answer.headers.get('content-length')).to.equal(String(archive.size));
      const files = await filesIn(Buffer.from(await answer.arrayBuffer()));
      expect(files.has('outbox.json')).to.equal(true);
      expect([...files.keys()].some((name) => name.startsWith('media_attachments/'))).to.equal(true);
      const [row] = await server.app.db.query<{ file: string }>('select file from durable.archives');
      const found = await fetch(`${config.endpoint}/files/archives/${row?.file}`);
      const bytes = Buffer.from(await found.arrayBuffer());
      expect(bytes.subarray(0, 2).toString('hex'), 'gzip').not.to.equal('1f8b');
      expect((await fetch(`${server.url}/media/archives/${row?.file}`)).status).to.equal(404);
      await server.app.contextDependencies.services.personalData.forget(id, []);
      expect(await stored()).to.deep.equal([]);
    } finally {
      await server.close();
    }
  });
});
