import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { type App, openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { connectEmbedded } from '#storage/embedded/embedded.ts';
import { findPostmaster, shutDown } from '#storage/embedded/postmaster.ts';
import { freePort, type Program, residentMegabytes, startProgram, stopChildren } from './processes.ts';

/** The server as in production, with its embedded Postgres, in a folder of its own; and the same parts in this process. */
export interface Site {
  url: string;
  server: Program;
  /** Has no projector and serves nothing: it seeds, and measures the log. */
  app: App;
  /** The URL of the server's Postgres. */
  databaseUrl: string;
  /** Settings of the server, and of what is to work beside it. */
  env: Record<string, string>;
  /** Seconds until it answered, in a new folder and in one that is there. */
  firstStart: number;
  start: number;
  /** MB, a moment after the start. */
  idle: number | undefined;
}

export interface SiteOptions {
  /** Where the server writes a CPU profile when it ends. */
  profileDir?: string | undefined;
  /** Settings of the server beside the usual ones. */
  settings?: Record<string, string>;
  /** A module that the server loads before its own code. */
  preload?: URL;
}

/** Milliseconds that a start may take, also on a busy machine. */
const START = 300_000;

/** Things to clean up, also when a start fails half-way. */
const folders: string[] = [];
const closers: (() => Promise<void>)[] = [];
let cleaning: Promise<void> | undefined;

export async function openSite({ profileDir, settings = {}, preload }: SiteOptions): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-bench-'));
  folders.push(folder);
  const port = await freePort();
  const env = { DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...settings };
  const url = `http://127.0.0.1:${port}`;

  const first = await startServer(url, env);
  await first.server.stop();
  const nodeOptions = [
    ...(profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]),
    ...(preload ? [`--import=${preload.href}`] : []),
  ];
  const { server, seconds } = await startServer(url, env, nodeOptions);
  await sleep(3_000);
  const idle = await residentMegabytes(server.pid);
  const logger = pino({ level: 'warn' });
  const postgres = await connectEmbedded(folder, logger);
  closers.push(postgres.stop);
  const app = await openApp(loadConfig(env), logger);
  closers.push(() => app.close());
  const { url: databaseUrl } = postgres;
  return { url, server, app, databaseUrl, env, firstStart: first.seconds, start: seconds, idle };
}

async function startServer(
  url: string,
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<{ server: Program; seconds: number }> {
  const started = performance.now();
  const server = startProgram('../bin/server', nodeOptions, env);
  while (!(await answers(url))) {
    if (performance.now() - started > START) throw new Error('The server does not start');
    await sleep(10);
  }
  return { server, seconds: (performance.now() - started) / 1_000 };
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/api/v1/timelines/public`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

/** Ends all processes and removes the folders. Safe to call at any moment, and twice. */
export function cleanUp(): Promise<void> {
  return (cleaning ??= clean());
}

async function clean(): Promise<void> {
  await stopChildren();
  for (const close of closers.splice(0).reverse()) {
    await Promise.race([close().catch(() => undefined), sleep(10_000)]);
  }
  for (const folder of folders.splice(0)) await removeFolder(folder);
}

async function removeFolder(folder: string): Promise<void> {
  // Where a close was cut short, Postgres still runs.
  const postgres = await findPostmaster(join(folder, 'postgres/cluster'));
  if (postgres) await shutDown(postgres.pid);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
