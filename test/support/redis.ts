import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** A Redis of a test's own, that it may stop. */
export interface TestRedis {
  url: string;
  stop(): Promise<void>;
}

/** Starts the machine's own redis-server, empty, on a free port of loopback; undefined where it is not installed. */
export async function startTestRedis(): Promise<TestRedis | undefined> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'rookery-redis-'));
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const started = await Promise.race([
    once(server, 'error').then(() => false),
    answers(port).then(() => true),
  ]);
  if (!started) {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      await kill(server);
      await rm(folder, { recursive: true, force: true });
    },
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
