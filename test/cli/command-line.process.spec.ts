import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { copyCluster } from '../support/cluster.ts';
import { inTurn, type Result, runRookery } from '../support/command-line.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { freePort } from '../support/free-port.ts';

/** Runs its arguments, a verb each, one after another, and reports their exit codes. A process for each takes seconds. */
const RUNS_ALL = `
  import { run } from ${JSON.stringify(new URL('../../src/cli/program.ts', import.meta.url).href)};
  for (const verb of process.argv.slice(1)) {
    process.exitCode = 0;
    await run(verb.split(' '));
    process.send([verb, process.exitCode]);
  }
  process.disconnect();
`;

describe('The command line', function () {
  this.timeout(90_000);
  let dataDir: string;
  let port: number;
  let server: ChildProcess | undefined;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-cli-'));
    await copyCluster(dataDir);
    port = await freePort();
  });
  after(async () => {
    await stopServer();
    await rm(dataDir, { recursive: true, force: true });
  });

  const env = () => ({
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  });

  const rookery = (...args: string[]): Promise<Result> => inTurn(args, env());
  /** Runs the command in a process of its own, as operators do. */
  const alone = (...args: string[]): Promise<Result> => runRookery(args, env());

  async function startServer(): Promise<void> {
    server = spawn('bin/rookery', ['serve'], { env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
    const running = server;
    await new Promise<void>((resolve, reject) => {
      running.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
      running.stdout?.on('data', (chunk) => {
        if (String(chunk).includes('Rookery serves')) resolve();
      });
    });
  }
  async function stopServer(): Promise<void> {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    server = undefined;
  }
  const get = (path: string, token: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const lastLine = ({ stdout }: Result): string => stdout.trim().split('\n').at(-1) ?? '';

  let token: string;

  describe('without a server', () => {
    it('creates an account and prints its password, as tootctl does', async () => {
      const created = await alone(
        'accounts',
        'create',
        'alice',
        '--email',
        'alice@example.org',
        '--confirmed',
        '--role',
        'Owner',
      );
      expect(created).to.deep.include({ code: 0, stderr: '' });
      expect(created.stdout).to.match(/^OK\nNew password: [0-9a-f]{32}\n$/);
    });

    it('creates a token and prints it on the last line', async () => {
      const made = await alone('tokens', 'create', 'alice', '--scopes', 'read write');
      expect(made).to.deep.include({ code: 0, stderr: '' });
      token = lastLine(made);
      expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    });

    it('rebuilds, verifies and lists read models', async () => {
      const rebuilt = await rookery('projections', 'rebuild', 'users', 'accounts');
      expect(rebuilt).to.deep.include({ code: 0, stdout: 'Rebuilt: accounts, users\n' });
      expect(rebuilt.stderr).to.match(/^Rebuilding: (\d+) of \1 events, \d+ events\/s, ETA 0s$/m);
      const verified = await rookery('projections', 'verify');
      expect(verified.code, verified.stderr).to.equal(0);
      expect(verified.stdout).to.match(/^Identical: .*users/);
      const listed = await rookery('projections', 'list');
      expect(listed.stdout).to.match(/^users +v\d+ +main +\d+ +0 +0 +ok$/m);
      expect(await rookery('projections', 'retry')).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'No read model is halted\n',
      });
    });
  });

  describe('beside a running server', () => {
    before(startServer);

    it('has created tokens that the server accepts', async () => {
      const reply = await get('/api/v1/accounts/verify_credentials', token);
      expect(reply.status).to.equal(200);
      expect(await reply.json()).to.deep.include({ username: 'alice' });
    });

    it('creates accounts that the server knows immediately', async () => {
      const created = await rookery('accounts', 'create', 'bob', '--email', 'bob@example.org', '--confirmed');
      expect(created.code, created.stderr).to.equal(0);
      const bob = lastLine(await rookery('tokens', 'create', 'bob', '--scopes', 'read'));
      expect((await get('/api/v1/accounts/verify_credentials', bob)).status).to.equal(200);
    });

    it('has commands in every family that end without help', async () => {
      const terms = join(dataDir, 'terms.txt');
      await writeFile(terms, 'Be kind.');
      const verbs = [
        ...['rules list', 'emoji list', 'announcements list', 'suggestions list', 'audit export'],
        ...['domains blocks', 'email-domain-blocks list', 'ip-blocks export', 'settings show', 'log key'],
        `terms publish --effective 2026-01-01 --file ${terms}`,
      ];
      const child = spawn(process.execPath, ['--input-type=module', '--eval', RUNS_ALL, ...verbs], {
        env: { ...env(), NODE_COMPILE_CACHE: COMPILE_CACHE },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      const said = text(child.stderr!);
      const codes: unknown[] = [];
      child.on('message', (each) => codes.push(each));
      // A command that leaves anything open keeps the process alive.
      await once(child, 'exit');
      expect(codes).to.deep.equal(verbs.map((verb) => [verb, 0]));
      expect(await said).to.equal('');
    });

    it('moves an account and cancels the move', async () => {
      const carol = ['accounts', 'create', 'carol', '--email', 'carol@example.org', '--confirmed'];
      expect((await rookery(...carol)).code).to.equal(0);
      const migrate = (...args: string[]) => rookery('accounts', 'migrate', 'carol', ...args);
      expect((await migrate()).stderr).to.match(/^Say where to/);
      expect((await migrate('--to', 'nobody')).stderr).to.match(/^No such account was found/);
      expect((await migrate('--to', 'carol')).stderr).to.match(/^An account cannot move to itself/);
      expect((await migrate('--replay')).stderr).to.match(/^The account has not moved with its followers/);
      expect((await migrate('--to', '@bob')).stderr).to.match(/^The new account does not name this one/);
      expect(await migrate('--to', 'alice', '--redirect')).to.deep.include({ code: 0, stdout: 'OK\n' });
      const moved = async (): Promise<unknown> => {
        const reply = await get('/api/v1/accounts/lookup?acct=carol', token);
        return ((await reply.json()) as { moved?: { username: string } }).moved?.username;
      };
      expect(await moved()).to.equal('alice');
      expect((await migrate('--cancel')).code).to.equal(0);
      const alias = (...args: string[]) => rookery('accounts', 'alias', ...args);
      expect((await alias('add', 'bob', 'nobody')).stderr).to.match(/^No such account was found/);
      expect((await alias('add', 'bob', 'bob')).stderr).to.match(/^This is the account itself/);
      expect(await alias('add', 'bob', '@carol')).to.deep.include({ code: 0, stdout: 'OK\n' });
      expect((await alias('list', 'bob')).stdout).to.match(/^carol@\S+\n$/);
      expect(await migrate('--to', '@bob')).to.deep.include({ code: 0, stdout: 'OK\n' });
      expect((await migrate('--replay')).code).to.equal(0);
      expect((await migrate('--to', 'alice')).stderr).to.match(/^The new account does not name this one/);
      expect((await alias('add', 'alice', 'carol')).code).to.equal(0);
      expect((await migrate('--to', 'alice')).stderr).to.match(/^The account has moved to another account/);
      expect(await moved()).to.equal('bob');
      expect((await migrate('--to', 'alice', '--force')).code).to.equal(0);
      expect(await moved()).to.equal('alice');
      expect((await migrate('--cancel')).code).to.equal(0);
      expect(await moved()).to.equal(undefined);
      expect((await migrate('--to', 'bob')).stderr).to.match(/^The account has moved less than 30 days ago/);
      expect((await alias('remove', 'bob', 'carol')).code).to.equal(0);
      expect((await alias('remove', 'bob', 'carol')).stderr).to.match(/^This is no alias/);
      expect((await alias('list', 'bob')).stdout).to.equal('');
    });

    it('moderates accounts of any role, as staff does over the API', async () => {
      const act = async (...args: string[]): Promise<string> => {
        const { stdout, stderr } = await rookery('accounts', ...args);
        return stdout + stderr;
      };
      const bob = async (): Promise<Record<string, unknown>> =>
        (await (await get(`/api/v1/accounts/${bobId}`, token)).json()) as Record<string, unknown>;
      const { id: bobId } = (await (await get('/api/v1/accounts/lookup?acct=bob', token)).json()) as {
        id: string;
      };
      expect(await act('suspend', '@bob', '--text', 'No eggs')).to.equal('OK\n');
      expect(await bob()).to.include({ suspended: true });
      const at = await Promise.all([
        act('unsuspend', 'bob'),
        act('silence', 'bob', '--no-notify'),
        act('sensitize', 'alice'),
        act('approve', 'alice'),
        act('suspend', 'nobody'),
        act('unsuspend', 'alice'),
      ]);
      expect(at.slice(0, 3)).to.deep.equal(['OK\n', 'OK\n', 'OK\n']);
      expect(at[3]).to.match(/^No sign-up of @alice waits/);
      expect(at[4]).to.match(/^There is no account @nobody here/);
      expect(at[5]).to.match(/^@alice is not suspended/);
      expect(await bob())
        .to.include({ limited: true })
        .and.not.have.property('suspended');
    });

    it('ends all sessions with a new password', async () => {
      const { code, stdout } = await rookery('accounts', 'modify', 'alice', '--reset-password');
      expect(code).to.equal(0);
      expect(stdout).to.match(/^OK\nNew password: [0-9a-f]{32}\n$/);
      expect((await get('/api/v1/accounts/verify_credentials', token)).status).to.equal(401);
    });

    it('closes registrations', async () => {
      const app = await fetch(`http://127.0.0.1:${port}/api/v1/apps`, {
        method: 'POST',
        body: new URLSearchParams({
          client_name: 'x',
          redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
          scopes: 'write',
        }),
      });
      const { client_id, client_secret } = (await app.json()) as { client_id: string; client_secret: string };
      const issued = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id,
          client_secret,
          scope: 'write',
        }),
      });
      const { access_token } = (await issued.json()) as { access_token: string };
      const signUp = async (): Promise<number> => {
        const reply = await fetch(`http://127.0.0.1:${port}/api/v1/accounts`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${access_token}` },
        });
        return reply.status;
      };
      expect(await signUp()).to.equal(422);
      expect((await rookery('settings', 'registrations', 'close')).stdout).to.equal('OK\n');
      expect(await signUp()).to.equal(403);
    });

    it('takes a list of apps from the standard input, within a bound', async () => {
      const apps = [
        { name: 'toot', platform: 'terminal', description: 'x', website: 'https://toot.example/' },
      ];
      const set = (input: string | Buffer): Promise<Result> =>
        runRookery(['settings', 'apps', '--set', '-'], env(), input);
      expect(await set(JSON.stringify({ apps }))).to.deep.equal({ code: 0, stdout: 'OK\n', stderr: '' });
      expect(JSON.parse((await rookery('settings', 'apps', '--json')).stdout)).to.deep.equal({ apps });
      expect((await set('')).stderr).to.match(/^apps must be JSON/);
      expect(await set(Buffer.alloc(9 * 1024 * 1024))).to.deep.equal({
        code: 64,
        stdout: '',
        stderr: 'The input is larger than 8 MB\n',
      });
      expect(JSON.parse((await rookery('settings', 'apps', '--json')).stdout)).to.deep.equal({ apps });
    });

    it('reports a mistake in one line, and tells wrong arguments from other refusals', async () => {
      const wrong: [string[], RegExp, code?: number][] = [
        [
          ['accounts', 'create', 'Alice', '--email', 'other@example.org'],
          /^Validation failed: Username has already been taken$/,
        ],
        [
          ['accounts', 'create', 'dora', '--email', 'a.lice@example.org'],
          /^Validation failed: E-mail address has already been taken$/,
        ],
        [['accounts', 'modify', 'nobody', '--confirm'], /^There is no local account @nobody$/, 1],
        [['tokens', 'create', 'alice', '--scopes', 'bogus'], /^There is no scope bogus$/],
        [
          ['tokens', 'create', 'alice', '--scopes', 'read', '--client-id', '99'],
          /^There is no application/,
          1,
        ],
        [['settings', 'registrations', 'maybe'], /open, close, approved/],
        [['projections', 'verify', 'nope'], /^There is no read model nope/, 1],
        [['log', 'verify', '--key', 'nonsense'], /The key must be as `rookery log key` prints it/],
      ];
      const check = async ([args, message, exit = 64]: (typeof wrong)[number]): Promise<void> => {
        const { code, stdout, stderr } = await rookery(...args);
        expect(code, args.join(' ')).to.equal(exit);
        expect(stdout).to.equal('');
        expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
      };
      await Promise.all(wrong.map(check));
    });

    it('lists reactors and timers, and reports that there is nothing to retry', async () => {
      const listed = await rookery('reactors', 'list');
      expect(listed).to.include({ code: 0 });
      expect(listed.stdout).to.match(/^NAME +POSITION +LAG +DEAD LETTERS$/m);
      expect((await rookery('reactors', 'timers')).stdout).to.match(
        /^NAME +STATE +NEXT +LAST +FIRED +FAILING +ERROR$/m,
      );
      const nothing = await rookery('reactors', 'retry');
      expect(nothing).to.deep.include({ code: 1, stderr: 'No such event is dead-lettered\n' });
      expect((await rookery('reactors', 'retry', '--event', 'x')).stderr).to.match(/^x is no id of an event/);
    });

    it('lists the deliveries to other servers', async () => {
      const listed = await rookery('federation', 'deliveries');
      expect(listed).to.include({ code: 0, stderr: '' });
      expect(listed.stdout).to.match(/^HOST +QUEUED +DELIVERED +REFUSED +FAILED +LAST SUCCESS/);
    });

    it('rebuilds and verifies while the server runs', async () => {
      expect((await rookery('projections', 'rebuild')).code).to.equal(0);
      expect((await rookery('projections', 'verify')).code).to.equal(0);
    });
  });
});
