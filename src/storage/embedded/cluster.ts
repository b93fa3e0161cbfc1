import { randomBytes } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { lchown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLauncher, findPrograms, type Launcher, type Programs, run } from './programs.ts';

/** A PostgreSQL data directory that a server can use. */
export interface Cluster {
  /** PostgreSQL's data directory. */
  dir: string;
  /** The folder around it, with the socket. Only its owner may enter. */
  home: string;
  password: string;
  programs: Programs;
  launcher: Launcher;
}

/** The database and its owner. The role is no superuser, so it cannot reach files or run programs. */
export const DATABASE = 'rookery';

/**
 * Creates the data directory `<dataDir>/postgres/cluster` if it is missing, and updates its settings. A new
 * one is made beside its place and moved as a whole, so a start that is killed leaves nothing half-made.
 */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const home = join(dataDir, 'postgres');
  const programs = await findPrograms();
  const launcher = findLauncher(home, programs);
  const version = await readFile(join(home, 'cluster/PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) await createCluster(dataDir, home, programs, launcher);
  else if (version.trim() !== programs.major) {
    throw new Error(
      `${home} was made by PostgreSQL ${version.trim()}, and this release brings ${programs.major}. Move it with ` +
        'pg_dump and pg_restore of both versions, or go back to the release that made it.',
    );
  }
  const dir = join(home, 'cluster');
  await writeAs(launcher, join(dir, 'rookery.conf'), SETTINGS);
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return { dir, home, password, programs, launcher };
}

/** Tells whether a start will create the data directory: there is none yet, and no file in the place of the folder. */
export const isClusterMissing = (dataDir: string): boolean =>
  statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== false &&
  !existsSync(join(dataDir, 'postgres/cluster/PG_VERSION'));

const HALF_MADE = 'postgres.new-';

async function removeHalfMade(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(HALF_MADE));
  // Retries, because an initdb whose parent was killed may still be writing there.
  const options = { recursive: true, force: true, maxRetries: 8, retryDelay: 100 };
  await Promise.all(left.map((name) => rm(join(dataDir, name), options)));
}

async function createCluster(
  dataDir: string,
  home: string,
  programs: Programs,
  launcher: Launcher,
): Promise<void> {
  await removeHalfMade(dataDir);
  const temporary = await mkdtemp(join(dataDir, HALF_MADE));
  try {
    await giveTo(launcher, temporary);
    const dir = join(temporary, 'cluster');
    await run(launcher, programs.initdb, ['-D', dir, ...INITDB_OPTIONS]);
    await writeAs(launcher, join(dir, 'pg_hba.conf'), ACCESS);
    await writeAs(launcher, join(dir, 'postgresql.conf'), MAIN_SETTINGS);
    const password = randomBytes(24).toString('hex');
    await run(launcher, programs.postgres, ['--single', '-D', dir, 'postgres'], setUp(password));
    await writeAs(launcher, join(temporary, 'password'), `${password}\n`);
    await rename(temporary, home);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Sorting by bytes, upper and lower case by Unicode: the same on every machine, independent of its locales.
 */
const INITDB_OPTIONS = [
  '--username=postgres',
  '--auth=reject',
  '--encoding=UTF8',
  '--no-locale',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

const setUp = (password: string): string =>
  [
    `CREATE ROLE ${DATABASE} LOGIN CREATEDB PASSWORD '${password}' IN ROLE pg_monitor;`,
    `CREATE DATABASE ${DATABASE} OWNER ${DATABASE};`,
    '',
  ].join('\n');

const ACCESS = `local all ${DATABASE} scram-sha-256
host all ${DATABASE} 127.0.0.1/32 scram-sha-256
`;

const MAIN_SETTINGS = `# Written by Rookery at every start; do not edit that file.
include_if_exists 'rookery.conf'

# Settings below this line win, and are kept.
`;

/**
 * For small statements from few clients on a small machine. Log messages leave out values, which may be
 * personal.
 */
const SETTINGS = `shared_buffers = 192MB
effective_cache_size = 768MB
work_mem = 16MB
maintenance_work_mem = 128MB
wal_buffers = 16MB
max_wal_size = 2GB
min_wal_size = 128MB
checkpoint_timeout = 15min
random_page_cost = 1.1
jit = off
synchronous_commit = on
max_connections = 120
idle_in_transaction_session_timeout = 30s
client_connection_check_interval = 5s
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = ''
log_checkpoints = off
log_error_verbosity = terse
log_min_error_statement = panic
`;

/**
 * Follows no symbolic link, because the folder belongs to a user who may have fewer rights than this process.
 */
async function writeAs(launcher: Launcher, path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  await writeFile(path, text, { mode: 0o600, flag: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW });
  await giveTo(launcher, path);
}

async function giveTo({ owner }: Launcher, path: string): Promise<void> {
  if (owner !== undefined) await lchown(path, owner.uid, owner.gid);
}
