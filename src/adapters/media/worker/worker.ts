import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../programs.ts';
import { type Reply, type Request, toError } from './messages.ts';
import type { TaskName, Tasks } from './tasks.ts';

/**
 * The `nice` value: requests come before the work on media. At 19, beside two busy processes, a small picture
 * that a user waits for takes a minute.
 */
const NICENESS = 10;
/** Milliseconds after which an idle worker ends. */
const IDLE = 5 * 60_000;
const SCRIPT = fileURLToPath(new URL('process.ts', import.meta.url));

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Worker {
  child: ChildProcess;
  pending: Map<number, Pending>;
  idle?: NodeJS.Timeout;
}

/** The worker crashed, or was killed, before it replied. */
export class WorkerEnded extends Error {
  constructor(cause: string | number | null) {
    super(`The media worker ended: ${cause}`);
    this.name = 'WorkerEnded';
  }
}

let worker: Worker | undefined;
let lastId = 0;

/**
 * Runs a task in the worker process, which is started when it is needed. Decoders of files from strangers run there: with low
 * priority, without the server's keys, and without stopping the server when they crash.
 * @throws the task's error, the signal's reason, or an error where the worker cannot start or ends before it answers
 */
export async function inWorker<Name extends TaskName>(
  task: Name,
  args: Parameters<Tasks[Name]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  signal?.throwIfAborted();
  const { child, pending } = take();
  const id = (lastId += 1);
  const send = (request: Request): void => {
    // The end of a disconnected worker is an event of its own, which rejects pending tasks.
    if (child.connected) child.send(request, (error) => error && pending.get(id)?.reject(error));
  };
  const cancel = (): void => send({ id, cancelled: true });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return (await new Promise<unknown>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      send({ id, task, args });
    })) as Awaited<ReturnType<Tasks[Name]>>;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    pending.delete(id);
    release();
  }
}

/** Returns the worker, and starts it if there is none. It keeps this process alive while a task runs. */
function take(): Worker {
  worker ??= start();
  clearTimeout(worker.idle);
  worker.child.ref();
  worker.child.channel?.ref();
  return worker;
}

function release(): void {
  const released = worker;
  if (!released || released.pending.size > 0) return;
  released.child.unref();
  released.child.channel?.unref();
  released.idle = setTimeout(() => {
    if (worker === released) worker = undefined;
    released.child.disconnect();
  }, IDLE).unref();
}

function start(): Worker {
  const child = fork(SCRIPT, {
    execPath: 'nice',
    execArgv: ['-n', String(NICENESS), process.execPath],
    env: { ...ENVIRONMENT, TMPDIR: tmpdir() },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const started: Worker = { child, pending: new Map() };
  const end = (error: Error): void => {
    if (worker === started) worker = undefined;
    clearTimeout(started.idle);
    for (const { reject } of started.pending.values()) reject(error);
  };
  child.on('error', end);
  child.on('exit', (code, signal) => end(new WorkerEnded(signal ?? code)));
  child.on('message', (reply: Reply) => {
    const waiting = started.pending.get(reply.id);
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject(toError(reply.failure));
  });
  return started;
}
