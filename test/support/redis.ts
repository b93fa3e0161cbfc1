import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** A Redis that belongs to one test, which may stop it. */
export interface TestRedis {
  url: string;
  /** Makes it accept connections without answering. */
  hang(): void;
  /** Kills it, as a failing machine would. */
  kill(): Promise<void>;
  /** Starts it again, empty. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the machine's own redis-server, empty, on a free port of loopback; undefined when it is not
 * installed.
 * @param options.away starts nothing at its address until `startAgain`
 */
export async function startTestRedis({ away = false } = {}): Promise<TestRedis | undefined> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'rookery-redis-'));
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  let server: ChildProcess | undefined;
  const start = async (): Promise<boolean> => {
    server = spawn('redis-server', args, { stdio: 'ignore' });
    return Promise.race([once(server, 'error').then(() => false), answers(port).then(() => true)]);
  };
  const end = async (): Promise<void> => {
    if (server) await kill(server);
  };
  const stop = async (): Promise<void> => {
    await end();
    await rm(folder, { recursive: true, force: true });
  };
  if (!(await start())) {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  if (away) await end();
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => void server?.kill('SIGSTOP'),
    kill: end,
    startAgain: async () => {
      await start();
    },
    stop,
  };
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function answers(port: number): Promise<void> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: 100 });
  redis.on('error', () => undefined);
  try {
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
