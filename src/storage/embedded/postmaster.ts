import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running server, as PostgreSQL's own `postmaster.pid` describes it. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The folder of its Unix socket; empty when it listens on loopback. */
  socketDir: string;
  ready: boolean;
}

/** Above every process id of Linux. */
const NO_PROCESS = 4_194_305;

/** Returns the server that runs on this data directory, if any. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const file = join(clusterDir, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (await isPostgresOf(pid, clusterDir)) {
    return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
  }
  await disown(file, lines);
  return undefined;
}

/**
 * Stops a server: rolls back open transactions and flushes data. After `patience` milliseconds it uses a
 * harder signal.
 */
export async function shutDown(pid: number, patience = 30_000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!send(pid, signal)) return;
    if (await waitUntil(() => !isAlive(pid), patience)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

/** Checks every 20 ms. Returns false after `patience` milliseconds. */
export async function waitUntil(done: () => boolean | Promise<boolean>, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (!(await done())) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Process ids are reused after a reboot; a dead process that was not reaped has an empty command line. */
async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(clusterDir);
}

/**
 * PostgreSQL believes any live process id in its file and would not start. Only the id is replaced, because
 * the rest tells the next start whether a child of the dead server still holds the shared memory.
 */
async function disown(file: string, lines: readonly string[]): Promise<void> {
  await writeFile(file, [String(NO_PROCESS), ...lines.slice(1)].join('\n'));
}
