import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** How long a child may take to end by itself, in milliseconds. */
const PATIENCE = 20_000;

/** A process that the bench started. */
export interface Program {
  pid: number;
  stop(): Promise<void>;
}

/** A Node process of the bench. It speaks by messages of Node's IPC channel. */
export interface Child extends Program {
  /** Sends a job and waits for the next message. @throws when the child ends or answers `{ error }` */
  ask<Answer>(job: unknown): Promise<Answer>;
}

const running = new Set<Program>();

/** As in `bin/runtime.sh`. */
const MEMORY = ['--max-semi-space-size=16', '--heap-growing-percent=85'];

/**
 * Starts a script, given relative to this folder, with this environment and nothing else. Its stderr is
 * shown; stdout is not.
 */
export function startChild(script: string, env: Record<string, string> = {}): Child {
  const child = fork(placeOf(script), {
    env,
    execArgv: MEMORY,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return { ...watch(child), ask: (job) => ask(child, script, job) };
}

/** Starts a program in the same way. Each is a session of its own, so that an attacker takes no share of the server. */
export const startProgram = (program: string, args: string[], env: Record<string, string>): Program =>
  watch(spawn(placeOf(program), args, { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] }));

const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Ends the process when the bench ends. */
export function watch(child: ChildProcess): Program {
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  );
  const self: Program = {
    pid: child.pid ?? 0,
    async stop() {
      running.delete(self);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      await ended;
      clearTimeout(timer);
    },
  };
  running.add(self);
  return self;
}

/** Ends whatever still runs. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop()));
}

function ask<Answer>(child: ChildProcess, script: string, job: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: unknown): void => {
      child.off('exit', onExit);
      const { error } = answer as { error?: string };
      if (error === undefined) resolve(answer as Answer);
      else reject(new Error(error));
    };
    const onExit = (): void => {
      child.off('message', onMessage);
      reject(new Error(`${script} ended before it answered`));
    };
    child.once('message', onMessage).once('exit', onExit);
    child.send(job as object);
  });
}

/** In a child: answers every job by what `work` returns. */
export function answerJobs(work: (job: never) => Promise<object>): void {
  process.on('message', (job) => {
    work(job as never).then(
      (answer) => process.send?.(answer),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

/** A port of loopback that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The resident memory of a process in MB; undefined where there is no /proc. */
export async function residentMegabytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}
