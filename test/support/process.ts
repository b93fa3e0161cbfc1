import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { type App, openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { copyCluster } from './cluster.ts';
import { inTurn } from './command-line.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { settleTimeout } from './deadlines.ts';
import { freePort } from './free-port.ts';
import { type Difference, differencesFromLog } from './rebuilt.ts';

/** The exit code of a process, or the signal that ended it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process of `node src/main.ts`, as an operator runs it. */
export interface RookeryProcess {
  /** The origin of its API; undefined for a role without one. */
  url: string;
  /** The output so far. */
  output(): string;
  /** Resolves when the process is gone. */
  exited: Promise<Exit>;
  /** Sends the signal (default SIGTERM) and waits until the process is gone. */
  end(signal?: NodeJS.Signals): Promise<Exit>;
}

/** The settings of one process, by environment variable. */
export type Settings = Record<string, string>;

const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds. */
const LAST_WORDS = 2_000;
const READY = /^Rookery (?:serves|runs as) .*$/m;

/** Returns settings with a new data folder and port; a restart uses the same settings. */
export async function freshSettings(more: Settings = {}): Promise<Settings> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-e2e-'));
  if (more['DATABASE_URL'] === undefined) await copyCluster(dataDir);
  return {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settleTimeout(),
    ...more,
  };
}

/** Starts the server of a checkout with only these settings, and waits until it reports that it runs. */
export async function startRookery(settings: Settings, checkout = ROOT): Promise<RookeryProcess> {
  const process = launchRookery(settings, checkout);
  await process.ready;
  return process;
}

/** The settings of the servers so far, by their data folder. */
const settingsOf = new Map<string, Settings>();

/** Lets everyone sign up on a server with a public domain, as its owner would. */
export async function openRegistrations(dataDir: string): Promise<void> {
  const settings = settingsOf.get(dataDir) ?? { DATA_DIR: dataDir };
  const { code, stderr } = await inTurn(['settings', 'registrations', 'open'], settings);
  if (code !== 0) throw new Error(stderr);
}

/** Starts the server without waiting for it. */
export function launchRookery(
  settings: Settings,
  checkout = ROOT,
): RookeryProcess & { ready: Promise<void> } {
  const { PATH = '', HOME = '' } = process.env;
  settingsOf.set(settings['DATA_DIR'] ?? '', settings);
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: checkout,
    env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(async ([code, signal]): Promise<Exit> => {
    // The last output may arrive after the exit, and an orphaned child may hold the pipes open for ever.
    await Promise.race([closed, sleep(LAST_WORDS)]);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (READY.test(printed)) done();
      });
    }
  });
  const early = exited.then(({ code, signal }) => {
    throw new Error(`Rookery ended before it ran (${code ?? signal}):\n${printed}`);
  });
  early.catch(() => undefined);
  running.add(child);
  void exited.then(() => running.delete(child));
  return {
    ready: Promise.race([ready, early]),
    url: `http://localhost:${settings['PORT']}`,
    output: () => printed,
    exited,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** Opens the stores of a server, which may be running or stopped. */
export async function beside<T>(settings: Settings, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(loadConfig(settings), pino({ level: 'silent' }));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Compares the read models of a server with its log. @returns the differences, empty when there are none */
export const differences = (settings: Settings): Promise<Difference[]> =>
  beside(settings, differencesFromLog);

/** Removes what `freshSettings` made. The processes must have ended. */
export const discard = (settings: Settings): Promise<void> =>
  rm(settings['DATA_DIR'] ?? '', { recursive: true, force: true });

/** Kills the processes that a failed test left behind. */
const running = new Set<{ kill(signal: 'SIGTERM'): boolean }>();
process.once('exit', () => running.forEach((child) => child.kill('SIGTERM')));
