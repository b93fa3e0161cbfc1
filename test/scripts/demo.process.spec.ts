import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { planOf } from '../../scripts/demo/plan.ts';
import { Browser } from '../oauth/client.ts';
import { type Result, runRookery } from '../support/command-line.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { freePort } from '../support/free-port.ts';
import type { Answer, CallOptions } from '../support/server.ts';

const ROLES = ['person', 'moderator', 'auditor', 'operator'] as const;
const SEED = 5;

describe('The demo', function () {
  this.timeout(180_000);
  let folder: string;
  let url: string;
  let demo: ChildProcess;
  let printed = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-demo-spec-'));
    const port = await freePort();
    url = `http://localhost:${port}`;
    const { PATH = '', HOME = '' } = process.env;
    demo = spawn(process.execPath, ['scripts/demo/main.ts', '--port', String(port), '--seed', String(SEED)], {
      env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await untilReady();
  });
  after(async () => {
    if (demo.exitCode === null && demo.kill('SIGTERM')) await once(demo, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  const untilReady = (): Promise<void> =>
    new Promise((resolve, reject) => {
      for (const stream of [demo.stdout, demo.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          if (printed.includes('Ctrl-C ends it.')) resolve();
        });
      }
      demo.once('exit', (code) => reject(new Error(`The demo ended (${code}):\n${printed}`)));
    });

  async function call(
    method: string,
    path: string,
    { headers = {}, body }: CallOptions = {},
  ): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body: body as URLSearchParams }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** Returns the printed login of a role. */
  function login(role: string): { login: string; password: string } {
    const [, address = '', password = ''] = new RegExp(`^  ${role} +(\\S+) +(\\S+)`, 'm').exec(printed) ?? [];
    return { login: address, password };
  }

  const settings = (): Record<string, string> =>
    Object.fromEntries(
      [...printed.matchAll(/\b(DATA_DIR|PORT|LOCAL_DOMAIN)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
  const rookery = (...args: string[]): Promise<Result> => runRookery(args, settings());

  const posts = async (path: string): Promise<Status[]> => (await call('GET', path)).body as Status[];

  it('prints the address, and an account of each role that signs in with its password', async () => {
    expect(printed).to.include(`Rookery runs a demo at ${url}`);
    for (const role of ROLES) {
      const browser = new Browser({ call });
      await browser.open('/auth/sign_in');
      expect((await browser.submit('/auth/sign_in', login(role))).status, role).to.equal(303);
      expect((await browser.open('/settings')).status, role).to.equal(200);
    }
  });

  it('shows the person a home with pictures, polls and boosts', async () => {
    const token = await tokenOf(folder, 'person');
    const headers = { Authorization: `Bearer ${token}` };
    const home = (await call('GET', '/api/v1/timelines/home?limit=40', { headers })).body as Status[];
    expect(home).to.have.length(40);
    expect(home.filter(({ media_attachments }) => media_attachments.length > 0)).not.to.have.length(0);
    expect(home.filter(({ poll }) => poll)).not.to.have.length(0);
    expect(home.filter(({ reblog }) => reblog)).not.to.have.length(0);
    expect(new Set(home.map(({ account }) => account.avatar)).size).to.be.greaterThan(8);
    const { body: unread } = await call('GET', '/api/v1/notifications/unread_count', { headers });
    expect((unread as { count: number }).count).to.be.greaterThan(0);
  });

  it('has a hashtag among the trends, and posts of six weeks in five languages', async () => {
    const { body: tags } = await call('GET', '/api/v1/trends/tags');
    expect((tags as { name: string }[]).map(({ name }) => name)).to.deep.equal(['HeronCount']);
    const account = (await call('GET', '/api/v1/accounts/lookup?acct=mira')).body as { id: string };
    const own = await posts(`/api/v1/accounts/${account.id}/statuses?limit=40&exclude_reblogs=true`);
    const [first] = await posts(`/api/v1/accounts/${account.id}/statuses?pinned=true`);
    const age = Date.now() - Date.parse(first?.created_at ?? '');
    expect(age / 86_400_000).to.be.within(40, 43);
    const planned = planOf(SEED).posts.map(({ text }) => lettersOf(text));
    const texts = own.filter(({ quote }) => !quote).map(({ content }) => lettersOf(content));
    expect(texts).not.to.have.length(0);
    expect(planned).to.include.members(texts);
    const languages = new Set(planOf(SEED).posts.map(({ language }) => language));
    expect(languages).to.deep.equal(new Set(['en', 'de', 'fr', 'es', 'ar']));
  });

  it('has a history of moderation, which the auditor reads', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf(folder, 'auditor')}` };
    const { body } = await call('GET', '/api/v1/admin/audit?limit=80', { headers });
    const actions = (body as { action: string }[]).map(({ action }) => action);
    expect(actions).to.include.members([
      'account.warned',
      'account.silenced',
      'account.unsuspended',
      'appeal.approved',
    ]);
    const open = await call('GET', '/api/v1/admin/reports?resolved=false', { headers });
    expect(open.body).to.have.length(1);
  });

  it('has a halted read model, which the printed command mends, and nothing differs from the log then', async () => {
    const json = { headers: { Accept: 'application/json' } };
    const halted = await call('GET', '/health', json);
    expect(halted.body).to.deep.equal({ status: 'DEGRADED', halted: ['annual-reports'] });
    expect(printed).to.include('npx rookery projections retry');
    expect(await rookery('projections', 'retry')).to.include({
      code: 0,
      stdout: 'Going on: annual-reports\n',
    });
    const mended = await call('GET', '/health', json);
    expect(mended.body).to.deep.equal({ status: 'UP' });
    const verified = await rookery('projections', 'verify');
    expect(verified, verified.stderr).to.include({ code: 0 });
    expect(verified.stdout).to.match(/^Identical: /);
  });

  it('ends with its folder removed, also when npm passes the signal of the terminal on', async () => {
    const gone = once(demo, 'exit');
    demo.kill('SIGINT');
    demo.kill('SIGINT');
    expect((await gone)[0]).to.equal(0);
    expect(await readdir(folder)).to.deep.equal([]);
  });
});

describe('A demo in a folder that is kept', function () {
  this.timeout(240_000);
  let folder: string;
  let port: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-kept-demo-'));
    port = String(await freePort());
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Starts the demo at the port, and ends it after the work. @returns what it printed */
  async function during(work: () => Promise<unknown>): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const demo = spawn(process.execPath, ['scripts/demo/main.ts', '--data', folder], {
      env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(demo, 'exit');
    let printed = '';
    const ready = new Promise<void>((resolve) => {
      for (const stream of [demo.stdout, demo.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          if (printed.includes('Ctrl-C ends it.')) resolve();
        });
      }
    });
    await Promise.race([ready, gone.then(() => expect(printed).to.include('Ctrl-C ends it.'))]);
    await work();
    demo.kill('SIGTERM');
    expect((await gone)[0]).to.equal(0);
    return printed;
  }

  const health = async (): Promise<unknown> =>
    (await fetch(`http://localhost:${port}/health`, { headers: { Accept: 'application/json' } })).json();

  it('starts at the port of the variable PORT, and again after the halting event was skipped', async () => {
    const first = await during(async () => {
      expect(await health()).to.deep.equal({ status: 'DEGRADED', halted: ['annual-reports'] });
      const settings = { DATA_DIR: folder, PORT: port, LOCAL_DOMAIN: `localhost:${port}` };
      const { stdout } = await runRookery(['projections', 'show', 'annual-reports'], settings);
      const [, position = ''] = /halted at (\d+)/.exec(stdout) ?? [];
      const skipped = await runRookery(
        ['projections', 'skip', 'annual-reports', position, '--reason', 'a spec'],
        settings,
      );
      expect(skipped, skipped.stderr + stdout).to.include({ code: 0 });
    });
    expect(first).to.include(`at http://localhost:${port} `);
    const second = await during(async () => expect(await health()).to.deep.equal({ status: 'UP' }));
    expect(second).not.to.include('is halted');
  });
});

/** The letters of a text, or of HTML. */
const lettersOf = (text: string): string =>
  text.replaceAll(/<[^>]*>|&\w+;/g, '').replaceAll(/[^\p{L}]/gu, '');

/** Reads what the demo remembers in its folder. */
async function tokenOf(parent: string, role: string): Promise<string> {
  const [name = ''] = (await readdir(parent)).filter((each) => /^rookery-demo-\w+$/.test(each));
  const filled = JSON.parse(await readFile(join(parent, name, 'demo.json'), 'utf8')) as {
    accounts: Record<string, { token: string } | undefined>;
  };
  return filled.accounts[role]?.token ?? '';
}
