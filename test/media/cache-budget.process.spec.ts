import { randomInt } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { cacheFolderOf } from '#adapters/media/cache/files.ts';
import { remoteMediaDigest } from '#mastodon/remote-media.ts';
import { type RemoteServer, startRemoteServer } from '../federation/remote-server.ts';
import { freePort } from '../support/free-port.ts';
import { FEDERATING } from '../support/inbox.ts';
import { type RookeryProcess, startRookery } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startWebPage, type WebPage } from '../support/web-page.ts';

/** In bytes: about ten of the files fit. */
const BUDGET = 300_000;
const HOSTS = 6;
const FILES = 48;
const PER_POST = 16;
const CRASHES = 3;

/**
 * Processes are killed at any moment while many clients request files. The files on the disk never exceed the
 * budget.
 */
describe('The cache of remote files, killed again and again', function () {
  this.timeout(240_000);
  let server: TestServer;
  let far: RemoteServer;
  let web: WebPage;
  let paths: string[] = [];
  before(async () => {
    server = await startTestServer(FEDERATING);
    far = await startRemoteServer(server, 'far.example');
    web = await startWebPage();
    const pictures = await Promise.all(Array.from({ length: 8 }, (_, index) => noise(60 + 15 * index)));
    web.answer = (req, res) => {
      const picture = pictures[Number(/\d+/.exec(req.url ?? '')) % pictures.length];
      res.setHeader('Content-Type', 'image/jpeg').end(picture);
    };
    const author = await far.account('author');
    const urls = Array.from({ length: FILES }, (_, index) =>
      web.here(`/${index}.jpg`, `127.0.0.${1 + (index % HOSTS)}`),
    );
    const ctx = server.app.systemContext('spec');
    for (let first = 0; first < FILES; first += PER_POST) {
      await far.post(author, `post-${first}`, {
        media: urls
          .slice(first, first + PER_POST)
          .map((url) => ({
            id: ctx.newId(),
            type: 'image' as const,
            file: url,
            preview: url,
            remote_url: url,
            meta: { original: { width: 1, height: 1 } },
            description: null,
            blurhash: 'LEHV6nWB2yk8',
          })),
      });
    }
    await server.waitUntilIdle();
    paths = urls.map((url) => `/media_proxy/attachments/${remoteMediaDigest(url)}/original`);
  });
  after(async () => {
    await Promise.all([server.close(), far.peer.close()]);
    web.close();
  });

  /** A picture that hardly compresses, of this width and height. */
  const noise = (side: number): Promise<Buffer> =>
    sharp({
      create: {
        width: side,
        height: side,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer();

  const folder = (): string => cacheFolderOf(server.app.config.dataDir);
  async function bytesOnDisk(): Promise<number> {
    const entries = await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => []);
    const sizes = entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size);
    return (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  }

  const start = async (): Promise<RookeryProcess> => {
    const { dataDir, database } = server.app.config;
    return startRookery({
      ...FEDERATING,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url ?? '',
      PORT: String(await freePort()),
      LOCAL_DOMAIN: 'rookery.example',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ROLE: 'api',
      MEDIA_CACHE_SIZE: String(BUDGET),
    });
  };

  /** Clients that request random files until they are stopped or their server is gone. */
  function ask(url: string): { answers: Map<number, number>; stop: () => Promise<void> } {
    const answers = new Map<number, number>();
    let going = true;
    const client = async (): Promise<void> => {
      while (going) {
        const response = await fetch(`${url}${paths[randomInt(paths.length)]}`).catch(() => undefined);
        if (!response) return;
        await response.arrayBuffer().catch(() => undefined);
        answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, client));
    return {
      answers,
      stop: async () => {
        going = false;
        await clients;
      },
    };
  }

  async function expectBooksToBeRight(): Promise<void> {
    const { db } = server.app;
    const [wrong] = await db.query<{ wrong: string }>(
      `select count(*) as wrong from (
         select 'all' as scope, '' as name, coalesce(sum(bytes), 0) as bytes, count(*) as files from durable.media_cache
         union all select 'class', class, sum(bytes), count(*) from durable.media_cache group by class
         union all select 'host', host, sum(bytes), count(*) from durable.media_cache group by host) s
       join durable.media_cache_totals t using (scope, name) where (t.bytes, t.files) <> (s.bytes, s.files)`,
    );
    expect(wrong?.wrong, 'totals are those of the rows').equal('0');
    const rows = await db.query<{ key: string; bytes: string; host: string }>(
      'select key, bytes, host from durable.media_cache',
    );
    const known = new Set(rows.map(({ key }) => key));
    const entries = await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((each) => each.isFile())) {
      const key = join(entry.parentPath, entry.name).slice(folder().length + 1);
      expect(known.has(key), `${key} has a row`).equal(true);
    }
    const byHost = Map.groupBy(rows, ({ host }) => host);
    for (const [host, files] of byHost) {
      expect(
        files.reduce((sum, { bytes }) => sum + Number(bytes), 0),
        host,
      ).lessThanOrEqual(BUDGET / 4);
    }
  }

  it('never exceeds its budget, and continues', async () => {
    let most = 0;
    const look = async (): Promise<void> => {
      most = Math.max(most, await bytesOnDisk());
      expect(most, 'bytes on the disk').lessThanOrEqual(BUDGET);
    };
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const process = await start();
      const asking = ask(process.url);
      const after = randomInt(20, 120);
      while ([...asking.answers.values()].reduce((a, b) => a + b, 0) < after) await look();
      await process.end('SIGKILL');
      await asking.stop();
      await look();
      await expectBooksToBeRight();
    }
    const process = await start();
    const asking = ask(process.url);
    while ((asking.answers.get(200) ?? 0) < 200) await look();
    await asking.stop();
    await process.end();
    await look();
    await expectBooksToBeRight();
    expect([...asking.answers.keys()]).deep.equal([200]);
    expect(most, 'the budget was used').greaterThan(BUDGET / 2);
  });
});
