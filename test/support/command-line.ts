import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { App } from '#app/app.ts';

/** The exit code of a command, or -1 when a signal ended it. */
export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string | undefined>;

/** Runs `bin/rookery` with only these settings, in a process of its own. It reads `input`. */
export const runRookery = (
  args: readonly string[],
  env: Environment,
  input: string | Buffer = '',
): Promise<Result> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env } };
    const child = execFile('bin/rookery', args, options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
    // A command that ends early closes its input.
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Runs a command with the settings of a running test server. Commands run one at a time. */
export const rookeryBeside = ({ config }: App, ...args: string[]): Promise<Result> =>
  inTurn(args, {
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.database.url,
    LOCAL_DOMAIN: config.site.localDomain,
    WEB_DOMAIN: config.site.webDomain,
    LOCAL_HTTPS: String(config.site.https),
    ...(config.eventStoreUrl !== undefined && { EVENTSTORE_URL: config.eventStoreUrl }),
  });

let shared: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command like `runRookery`, but in a process that is reused for many commands: starting one takes a
 * second.
 */
export function inTurn(args: readonly string[], env: Environment): Promise<Result> {
  const result = turn.then(() => runShared(args, env));
  turn = result.catch(() => undefined);
  return result;
}

async function runShared(args: readonly string[], env: Environment): Promise<Result> {
  const child = (shared ??= start());
  const said = Promise.all([output(child.stdout), output(child.stderr)]);
  child.send({ args, env: { PATH: process.env['PATH'], ...env } });
  const over = new AbortController();
  // A command with invalid arguments ends the process.
  const ends = ['message', 'exit'].map((event) => once(child, event, over));
  const [code] = (await Promise.race(ends)) as [number | null];
  over.abort();
  const [stdout, stderr] = await said;
  return { code: code ?? -1, stdout, stderr };
}

function start(): ChildProcess {
  const child = fork(new URL('command-line-process.ts', import.meta.url), { silent: true });
  return child.once('exit', () => (shared = undefined));
}

/** Reads the output of one command, up to a NUL or the end of the process. */
function output(stream: Readable | null): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = '';
  const hear = (chunk: string): void => {
    said += chunk;
    if (said.endsWith('\0')) end();
  };
  const end = (): void => {
    stream?.off('data', hear).off('close', end);
    resolve(said.replace(/\0$/, ''));
  };
  stream?.setEncoding('utf8').on('data', hear).on('close', end);
  return promise;
}

process.once('exit', () => shared?.kill());
