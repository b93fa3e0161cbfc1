import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { isDiskFull } from '../../src/kernel/errors.ts';
import { renderStream } from '../../src/adapters/media/streams.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
import { copyCluster } from '../support/cluster.ts';
import { runRookery } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import {
  differences,
  launchRookery,
  startRookery,
  type RookeryProcess,
  type Settings,
} from '../support/process.ts';
import { HAS_FFMPEG, telephoneVideo } from '../support/videos.ts';

const NO_ROOM = { status: 503, body: { error: 'The server has no space left to store this' }, after: '60' };

/** Needs the right to mount. The disk is a tmpfs of 300 MB that holds everything the server writes. */
describe('A server with a full disk', function () {
  this.timeout(180_000);
  let disk: string;
  let settings: Settings;
  let rookery: RookeryProcess | undefined;
  let mounted = false;

  before(async function () {
    disk = await mkdtemp(join(tmpdir(), 'rookery-disk-'));
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=1777', 'tmpfs', disk]);
    mounted = mount.status === 0;
    if (!mounted) return this.skip();
    settings = {
      DATA_DIR: join(disk, 'data'),
      TMPDIR: join(disk, 'tmp'),
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
    };
    await mkdir(join(disk, 'tmp'));
    await mkdir(join(disk, 'data'));
    await copyCluster(join(disk, 'data'));
  });
  after(async () => {
    await rookery?.end();
    if (mounted) spawnSync('umount', [disk]);
    await rm(disk, { recursive: true, force: true });
  });

  /** Fills the disk until this many bytes are free. */
  async function fill(leave: number): Promise<void> {
    const file = await open(join(disk, 'ballast'), 'a');
    const page = Buffer.alloc(4_096);
    for (;;) {
      const { bavail, bsize } = await statfs(disk);
      if (bavail * bsize <= leave) break;
      const pages = Math.max(1, Math.floor((bavail * bsize - leave) / page.length));
      await file.write(pages > 256 ? Buffer.alloc(256 * page.length) : page);
    }
    await file.close();
  }
  const makeRoom = (): Promise<void> => rm(join(disk, 'ballast'), { force: true });

  const answer = ({ status, body, headers }: Reply) => ({
    ...{ status, body: body as unknown, after: headers.get('retry-after') },
  });

  it('answers 503 to every write, leaves no partial files, serves reads, and recovers when there is space', async () => {
    rookery = await startRookery(settings);
    const { url } = rookery;
    const { token } = await signUp(url, settings['DATA_DIR'] ?? '', 'alice');
    const noise = { create: { width: 1_000, height: 800, channels: 3 as const, background: 'grey' } };
    const picture = await sharp({ ...noise, create: { ...noise.create, noise: GAUSSIAN } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const form = (name: string): FormData => {
      const data = new FormData();
      data.append(name, new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'noise.jpg');
      return data;
    };
    const upload = () => send(url, 'POST', '/api/v2/media', { token, body: form('file') });
    const post = () =>
      send(url, 'POST', '/api/v1/statuses', {
        token,
        body: { status: 'into a full disk' },
        headers: { 'Idempotency-Key': 'once' },
      });

    await fill(0);
    expect(answer(await upload())).to.deep.equal(NO_ROOM);
    const avatar = { token, body: form('avatar') };
    expect(answer(await send(url, 'PATCH', '/api/v1/accounts/update_credentials', avatar))).to.deep.equal(
      NO_ROOM,
    );
    expect(answer(await post())).to.deep.equal(NO_ROOM);
    // There is space for the upload, but not for its renditions.
    await makeRoom();
    await fill(picture.length + 200_000);
    expect(answer(await upload())).to.deep.equal(NO_ROOM);
    expect(await readdir(settings['TMPDIR'] ?? '')).to.deep.equal([]);
    expect(await readdir(join(disk, 'data/media/tmp')).catch(() => [])).to.deep.equal([]);
    expect((await healthOf(url)).body).to.deep.equal({ status: 'UP', warnings: ['disk'] });
    const home = await send(url, 'GET', '/api/v1/timelines/home', { token });
    expect([home.status, home.body]).to.deep.equal([200, []]);

    await makeRoom();
    expect((await post()).status).to.equal(200);
    expect((await upload()).status).to.equal(200);
    const me = await send(url, 'GET', '/api/v1/accounts/verify_credentials', { token });
    expect(me.body.statuses_count).to.equal(1);
  });

  it('makes no backup, reports the reason, and makes one in the same folder later', async () => {
    const backup = join(disk, 'backup');
    await fill(100_000);
    const full = await runRookery(['backup', backup], settings);
    expect(full.code).to.equal(1);
    expect(full.stderr).to.match(/no space left/i);
    expect(existsSync(join(backup, 'backup.json'))).to.equal(false);
    await makeRoom();
    expect((await runRookery(['backup', backup], settings)).code).to.equal(0);
    expect(existsSync(join(backup, 'backup.json'))).to.equal(true);
  });

  it('stops on request, and names the cause when it is started again too early', async () => {
    await fill(0);
    expect(await rookery?.end()).to.deep.equal({ code: 0, signal: null });
    const early = launchRookery(settings);
    const failure = await early.ready.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(failure).to.match(/no space left/i);
    expect((await early.exited).code).to.equal(1);
    await makeRoom();
    rookery = await startRookery(settings);
  });

  it('does not report a video as broken when there is no space to render it', async function () {
    if (!HAS_FFMPEG) return this.skip();
    const folder = join(disk, 'tmp');
    const source = join(folder, 'video.mov');
    await writeFile(source, await telephoneVideo());
    await fill(0);
    const failure: unknown = await renderStream({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, source, folder)
      .then(() => undefined)
      .catch((error: unknown) => error);
    await makeRoom();
    await rm(source);
    expect(isDiskFull(failure), String(failure)).to.equal(true);
  });

  it('has read models equal to a rebuild', async () => {
    await rookery?.end();
    expect(await differences(settings)).to.deep.equal([]);
  });
});

const GAUSSIAN = { type: 'gaussian' as const, mean: 128, sigma: 60 };
