import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import sharp from 'sharp';
import { renderStream } from '#adapters/media/streams.ts';
import { EXIT, exitCodeOf } from '#cli/exit-codes.ts';
import { asFullDisk, explainFullDisk, noticeFullDisk } from '#cli/full-disk.ts';
import { isDiskFull } from '#kernel/errors.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
import { copyCluster } from '../support/cluster.ts';
import { runRookery } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import {
  differences,
  launchRookery,
  type RookeryProcess,
  type Settings,
  startRookery,
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
  const ownerToken = async (): Promise<string> => {
    const { stdout, stderr } = await runRookery(
      ['tokens', 'create', 'owner', '--scopes', 'admin:read'],
      settings,
    );
    return stdout.trim().split('\n').at(-1) ?? expect.fail(stderr);
  };
  const makeRoom = (): Promise<void> => rm(join(disk, 'ballast'), { force: true });

  const answer = ({ status, body, headers }: Reply) => ({
    status,
    body: body as unknown,
    after: headers.get('retry-after'),
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

    const owner = await ownerToken();
    await fill(0);
    const report = await send(url, 'GET', '/api/v1/admin/health', { token: owner });
    expect(report.status, JSON.stringify(report.body)).to.equal(200);
    const findings = report.body.findings as { name: string; state: string }[];
    expect(findings.find(({ name }) => name === 'disk')?.state).to.equal('warning');
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

  it('names the disk, the state and what to do when it fills during a restore, which the same command continues', async () => {
    const target = { ...settings, DATA_DIR: join(disk, 'restored') };
    const args = ['restore', join(disk, 'backup'), '--no-erasures'];
    let isOver = false;
    const full = runRookery(args, target).finally(() => (isOver = true));
    // The database was created, and its server runs.
    await eventually(() => stat(join(disk, 'restored/postgres/cluster/postmaster.pid')));
    while (!isOver) await Promise.race([fill(0), full]);
    const { code, stderr } = await full;
    expect(code, stderr).to.equal(1);
    expect(stderr)
      .to.match(/^The disk of \S+restored is full \(.* of .* are free\): /m)
      .and.match(/Free space on that disk, then give the same command again: it continues\n$/);
    const early = await runRookery(['projections', 'list'], target);
    expect(early.code, early.stderr).to.equal(1);
    await makeRoom();
    const again = await runRookery(args, target);
    expect(again.code, again.stderr).to.equal(0);
    await rm(join(disk, 'restored'), { recursive: true });
  });

  it('is told from a broken connection when PostgreSQL ends for want of room', async () => {
    const { DATA_DIR: dataDir = '' } = settings;
    const { log, wasFull } = noticeFullDisk(pino({ level: 'silent' }));
    log.error('PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device');
    expect(wasFull()).to.equal(true);
    const broken = asFullDisk(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    const error = await explainFullDisk(broken, { dataDir, isDatabaseElsewhere: false, state: 'Try again' });
    expect(String(error)).to.include(`The disk of ${dataDir} is full`).and.not.include('ECONNRESET');
    expect(exitCodeOf(error)).to.equal(EXIT.failed);
    const other = new Error('read ECONNRESET');
    expect(await explainFullDisk(other, { dataDir, isDatabaseElsewhere: false, state: '' })).to.equal(other);
  });

  it('stops on request, and names the cause when it is started again too early', async () => {
    await fill(0);
    expect(await rookery?.end()).to.deep.equal({ code: 0, signal: null });
    // PostgreSQL may have left room by removing old segments of its log.
    await fill(0);
    const early = launchRookery(settings);
    rookery = early;
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
