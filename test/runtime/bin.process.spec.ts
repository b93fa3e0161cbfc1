import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');

async function run(program: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { PATH = '' } = process.env;
  const child = spawn(program, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe('The health check of the container', () => {
  const alive = (port: number | string): Promise<{ code: number; output: string }> =>
    run(join(ROOT, 'bin/alive'), { PORT: String(port) });
  /** Returns the exit code while a server answers `/livez` with this status. */
  const codeAt = async (status: number): Promise<number> => {
    const server = createServer((req, res) =>
      res.writeHead(req.url === '/livez' ? status : 404).end(),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { code } = await alive((server.address() as AddressInfo).port);
    server.close();
    return code;
  };

  it('succeeds for a server that is alive', async () => {
    expect(await codeAt(200)).to.equal(0);
  });

  it('fails for a server that answers anything else, and without a server', async () => {
    expect(await codeAt(503)).to.equal(1);
    expect((await alive(await freePort())).code).to.equal(1);
  });
});

describe('The compile cache', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'rookery-bin-'));
    await cp(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
    await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
    const node = join(root, 'node_modules/.bin/node');
    await writeFile(node, '#!/bin/sh\necho "$NODE_COMPILE_CACHE"\n');
    await chmod(node, 0o755);
  });
  afterEach(() => rm(root, { recursive: true }));

  const cacheOf = async (env: Record<string, string>): Promise<string> =>
    (await run(join(root, 'bin/server'), env)).output.trim();

  it('is beside the packages', async () => {
    expect(await cacheOf({ HOME: '/home/alice' })).to.equal(join(root, 'node_modules/.cache/rookery'));
  });

  it("is in the user's own folder where nothing can be written beside the packages", async () => {
    // A file in its place stops root as well.
    await writeFile(join(root, 'node_modules/.cache'), '');
    expect(await cacheOf({ HOME: '/home/alice' })).to.equal('/home/alice/.cache/rookery');
    expect(await cacheOf({ HOME: '/home/alice', XDG_CACHE_HOME: '/caches' })).to.equal('/caches/rookery');
  });

  it('is where NODE_COMPILE_CACHE says', async () => {
    expect(await cacheOf({ NODE_COMPILE_CACHE: '/elsewhere' })).to.equal('/elsewhere');
  });
});

describe('The compose file', () => {
  it('has no member that the Compose of Debian 12 refuses', async () => {
    const text = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
    const members = [...text.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
    expect(members).to.deep.equal(['x-health', 'services', 'volumes']);
  });
});
