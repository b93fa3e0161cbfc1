import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { discard, freshSettings, type Settings, startRookery } from '../support/process.ts';
import { processesWith } from '../support/processes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CTRL_C = '\x03';

/** A command that runs. */
interface Running {
  child: ChildProcess;
  /** Resolves when the output has this text. */
  says: (text: string) => Promise<void>;
  exited: Promise<unknown>;
}

function run(command: readonly string[], settings: Settings, detached = false): Running {
  const { PATH = '', HOME = '' } = process.env;
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: ROOT, env: { PATH, HOME, ...settings }, detached });
  let printed = '';
  const exited = once(child, 'exit');
  const says = async (text: string): Promise<void> => {
    const gone = exited.then(() => expect(printed).to.include(text));
    while (!printed.includes(text)) await Promise.race([once(child, 'output'), gone]);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      child.emit('output');
    });
  }
  return { child, says, exited };
}

/** Runs a command on a pseudo terminal, whose keyboard is the input of the process. */
const onTerminal = (command: string, settings: Settings): Running =>
  run(['script', '-qfec', command, '/dev/null'], settings);

describe('A server that npm runs', function () {
  this.timeout(180_000);
  const hasTerminal =
    process.platform === 'linux' && spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;
  let settings: Settings;

  beforeEach(async () => {
    settings = await freshSettings();
  });
  afterEach(() => discard(settings));

  const nothingIsLeft = (folder = settings['DATA_DIR'] ?? ''): Promise<unknown> =>
    eventually(async () => expect(await processesWith(folder)).to.deep.equal([]));

  it('passes SIGTERM on, so that no process is left behind', async () => {
    const npm = run(['npm', 'start'], settings);
    await npm.says('Rookery serves');
    npm.child.kill('SIGTERM');
    await npm.exited;
    await nothingIsLeft();
  });

  it('ends at Ctrl-C on a terminal, and leaves no process behind', async function () {
    if (!hasTerminal) this.skip();
    const npm = onTerminal('npm start', settings);
    await npm.says('Rookery serves');
    npm.child.stdin?.write(CTRL_C);
    await npm.exited;
    await nothingIsLeft();
  });

  it('closes in order when a second signal arrives while it closes', async () => {
    const server = await startRookery(settings);
    const ended = server.end('SIGINT');
    await eventually(async () => expect(await answers(server.url)).to.equal(false));
    expect(await server.end('SIGINT')).to.deep.equal({ code: 0, signal: null });
    await ended;
    await nothingIsLeft();
  });

  it('ends when its process group gets SIGTERM again and again, and leaves no process behind', async () => {
    const npm = run(['npm', 'start'], settings, true);
    await npm.says('Rookery serves');
    const { pid = 0 } = npm.child;
    await again(() => process.kill(-pid, 'SIGTERM'), npm.exited);
    await nothingIsLeft();
  });

  it('leaves no process behind when the server is killed', async () => {
    const npm = run(['npm', 'start'], settings);
    await npm.says('Rookery serves');
    process.kill(await serverOf(settings['DATA_DIR'] ?? ''), 'SIGKILL');
    await npm.exited;
    await nothingIsLeft();
  });

  it('ends a demo at Ctrl-C on a terminal, and removes its folder', async function () {
    if (!hasTerminal) this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'rookery-npm-demo-'));
    const demo = onTerminal('npm run demo', { TMPDIR: folder, PORT: String(await freePort()) });
    await demo.says('Ctrl-C ends it.');
    demo.child.stdin?.write(CTRL_C);
    await demo.exited;
    await nothingIsLeft(folder);
    expect((await readdir(folder)).filter((name) => name.startsWith('rookery-demo'))).to.deep.equal([]);
    await rm(folder, { recursive: true });
  });
});

/** Repeats a signal until this has happened. */
async function again(send: () => unknown, until: Promise<unknown>): Promise<void> {
  const timer = setInterval(send, 10);
  send();
  await until;
  clearInterval(timer);
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (reply) => reply.ok,
    () => false,
  );

/** Returns the id of the process of `src/main.ts` with this data folder. */
async function serverOf(dataDir: string): Promise<number> {
  for (const id of (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))) {
    const [command = '', environment = ''] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '')),
    );
    const program = await readlink(`/proc/${id}/exe`).catch(() => '');
    if (program.endsWith('node') && command.includes('src/main.ts') && environment.includes(dataDir))
      return Number(id);
  }
  throw new Error(`No server runs in ${dataDir}`);
}
