import { type ChildProcess, spawn } from 'node:child_process';

/** The end of a program: an exit code, or a timeout. `errors` is the end of its error output. */
export type Ended = { code: number; output: string; errors: string } | { code: 'timeout' };

/** Bytes of address space. 4K video in H.264 needs half of it. */
const MAX_MEMORY_KB = 3_000_000;
/** Blocks of 512 or 1024 bytes, depending on the shell. */
const MAX_FILE_BLOCKS = 400_000;
const MAX_OUTPUT = 1_000_000;
/** Added to the `nice` value of the worker, which makes it the lowest priority: no user waits for a rendering. */
const NICER = 9;
/** The message of the C library in the locale C. */
const NO_SPACE = 'No space left on device';
/** The environment holds secrets, so programs that read files of strangers get none of it. */
export const ENVIRONMENT = {
  LC_ALL: 'C',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
};

/**
 * Runs a program with bounds on memory, processor time and the size of files. Kills it with all its children
 * after `seconds`.
 * @throws when it cannot start or the disk is full, or the signal's reason
 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, seconds }: { cwd: string; seconds: number },
  signal?: AbortSignal,
): Promise<Ended> {
  signal?.throwIfAborted();
  const child = launch(program, args, { cwd, seconds });
  const closed = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve(exitCode ?? -1));
  });
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  let output = '';
  let errors = '';
  // With too many open files it has no streams, and reports that as an error.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > MAX_OUTPUT) kill();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  let late = false;
  const timeout = setTimeout(() => {
    late = true;
    kill();
  }, seconds * 1_000);
  signal?.addEventListener('abort', kill, { once: true });
  // Leaves no orphan when this process ends.
  process.once('exit', kill);
  try {
    const code = await closed;
    signal?.throwIfAborted();
    // Otherwise a full disk would look like a broken file.
    if (code !== 0 && errors.includes(NO_SPACE)) throw Object.assign(new Error(NO_SPACE), { code: 'ENOSPC' });
    return late ? { code: 'timeout' } : { code, output, errors };
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', kill);
    process.off('exit', kill);
  }
}

function launch(
  program: string,
  args: readonly string[],
  { cwd, seconds }: { cwd: string; seconds: number },
): ChildProcess {
  const limits = `ulimit -v ${MAX_MEMORY_KB} 2>/dev/null; ulimit -f ${MAX_FILE_BLOCKS}; ulimit -t ${seconds * 4}; ulimit -c 0`;
  return spawn('/bin/sh', ['-c', `${limits}; exec nice -n ${NICER} "$@"`, 'sh', program, ...args], {
    cwd,
    env: ENVIRONMENT,
    // A process group of its own, which can be killed as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
