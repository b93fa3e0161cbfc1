import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { type Person, startTown, type Town } from '../support/people.ts';

describe('Past read models on the command line', function () {
  this.timeout(60_000);
  let town: Town;
  let alice: Person;
  let bob: Person;
  let position: bigint;
  let moment: string;
  let serving: ChildProcess | undefined;

  before(async () => {
    town = await startTown();
    alice = await town.staff('alice', 'Moderator');
    bob = await town.person('bob');
    await alice.post('/api/v1/statuses', { status: 'Then' });
    await town.waitUntilIdle();
    position = await town.events();
    const [event] = await town.app.log.readAll(position - 1n, 1);
    moment = event?.metadata.time ?? '';
    await alice.post('/api/v1/statuses', { status: 'Now' });
    await town.waitUntilIdle();
  });
  after(async () => {
    if (serving?.exitCode === null) {
      serving.kill('SIGTERM');
      await once(serving, 'exit');
    }
    await town.close();
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, ...args);
  const list = async (): Promise<string> => (await rookery('projections', 'as-of', 'list')).stdout;

  it('report a mistake in one line', async () => {
    const wrong: [string[], RegExp][] = [
      [['projections', 'build', '--as-of', 'yesterday'], /Expected is a position of the log/],
      [['projections', 'as-of', 'drop', '7'], /^There is no build of position 7$/],
      [['serve', '--port', '3001'], /--port goes with --as-of/],
      [['serve', '--bind', '0.0.0.0'], /--bind goes with --as-of/],
      [['serve', '--everyone'], /--everyone goes with --as-of/],
      [['serve', '--as', 'alice'], /--as goes with --as-of/],
      [['serve', '--as-of', '1', '--as', 'nobody'], /There is no local account @nobody/],
      [['serve', '--as-of', '1', '--bind', 'example.org'], /Expected is an IP address/],
    ];
    const check = async ([args, message]: [string[], RegExp]): Promise<void> => {
      const { code, stdout, stderr } = await rookery(...args);
      expect([code, stdout], args.join(' ')).to.deep.equal([
        args.includes('drop') || args.includes('nobody') ? 1 : 64,
        '',
      ]);
      expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
    };
    await Promise.all(wrong.map(check));
  });

  it('are built for a time beside the live read models, once', async () => {
    const built = await rookery('projections', 'build', '--as-of', moment);
    expect(built).to.deep.include({ code: 0, stdout: `Built: as_of_${position}\n` });
    expect(built.stderr).to.contain(`Building: ${position} of ${position} events, `);
    const again = await rookery('projections', 'build', '--as-of', String(position));
    expect(again).to.deep.equal({ code: 0, stdout: `Built: as_of_${position}\n`, stderr: '' });
    expect(await list()).to.match(new RegExp(`^${position} +${moment} +[\\d.]+ MiB +ready +no$`, 'm'));
  });

  it('are served beside the running server and dropped afterwards', async () => {
    const { config } = town.app;
    const { PATH = '' } = process.env;
    serving = spawn('bin/rookery', ['serve', '--as-of', String(position), '--port', '0'], {
      env: {
        PATH,
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.database.url,
        LOCAL_DOMAIN: config.site.localDomain,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        BIND: '0.0.0.0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(serving, 'exit');
    const [line] = (await Promise.race([once(serving.stdout!, 'data'), ended])) as [Buffer];
    const said = /^Rookery serves (\S+) as of position (\d+) \((\S+)\) at (\S+), for reading only\.$/m;
    const [, origin, shown, when, url] = said.exec(String(line)) ?? [];
    expect([origin, shown, when]).to.deep.equal([config.site.origin, String(position), moment]);
    const headers = { Authorization: `Bearer ${alice.token}` };
    const home = await fetch(`${url}/api/v1/timelines/home`, { headers });
    const posts = (await home.json()) as { content: string }[];
    expect(posts.map(({ content }) => content)).to.deep.equal(['<p>Then</p>']);
    const refused = await fetch(`${url}/api/v1/statuses`, { method: 'POST', headers });
    expect(refused.status).to.equal(403);
    expect((await fetch(`${url}/health`)).status).to.equal(200);
    // BIND belongs to the running server. The past server listens on this machine only.
    expect(new URL(url ?? '').hostname).to.equal('127.0.0.1');
    const stranger = await fetch(`${url}/api/v1/timelines/public`);
    expect(stranger.status).to.equal(401);
    const user = await fetch(`${url}/api/v1/timelines/public`, {
      headers: { Authorization: `Bearer ${bob.token}` },
    });
    expect(user.status).to.equal(403);

    const kept = await rookery('projections', 'as-of', 'drop', String(position));
    expect(kept).to.deep.include({ code: 1, stdout: '' });
    expect(kept.stderr).to.match(/is being served by another process/);
    expect(await list()).to.match(new RegExp(`^${position} .* ready +yes$`, 'm'));
    serving.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    expect(await rookery('projections', 'as-of', 'drop', '--all')).to.deep.include({
      code: 0,
      stdout: `Removed: ${position}\n`,
    });
    expect(await list()).to.equal('POSITION  TIME  SIZE  STATE  SERVED\n');
  });

  it('report a port that another program uses, and serve nothing', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await rookery('serve', '--as-of', String(position), '--port', String(port));
    taken.close();
    expect(code).to.equal(64);
    expect(stderr.trimEnd().split('\n').at(-1)).to.match(/^--port cannot be listened on: .*EADDRINUSE/);
    expect(await list()).to.match(new RegExp(`^${position} .* ready +no$`, 'm'));
  });
});
