import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import type { App } from '#app/app.ts';
import { RookeryError } from '#kernel/errors.ts';
import { roleOf } from '#mastodon/permissions.ts';
import { HALTED } from './halted.ts';
import { digestOf, planOf } from './plan.ts';
import { type Resident, seed as fill } from './seed/index.ts';
import { openParts, settingsFor } from './serving.ts';
import { AUDITOR, MODERATOR, OPERATOR, PEOPLE, PERSON } from './texts/people.ts';

export const DEFAULT_PORT = 3_030;
export const DEFAULT_SEED = 1;
const ROLES = { person: PERSON, moderator: MODERATOR, auditor: AUDITOR, operator: OPERATOR } as const;
export type DemoRole = keyof typeof ROLES;

/** A user whose password the demo knows. */
export interface DemoAccount extends Resident {
  username: string;
  /** The role of the account, as the API names it; empty for none. */
  role: string;
}

export interface DemoOptions {
  seed?: number;
  /** Another one is chosen if it is taken. */
  port?: number;
  /** Kept at the end; a temporary folder, removed at the end, unless given. A folder that is filled already is served as it is. */
  dataDir?: string;
  /** Hears what is being done. */
  onStep?: (step: string) => void;
  /** Fills the folder, and serves nothing. */
  seedOnly?: boolean;
  /** Whether a read model is halted; true unless given. */
  halted?: boolean;
}

/** A running demo. */
export interface Demo {
  app: App;
  /** The address of the server, without a trailing slash. */
  address: string;
  /** The settings of the server, for what works beside it. */
  settings: Record<string, string>;
  accounts: Record<DemoRole, DemoAccount>;
  /** The read model that is halted, if any. */
  haltedReadModel: string | undefined;
  /** The folder stays at the end. */
  isKept: boolean;
  /** A digest of names, texts, pictures and relations; see `digestOf`. */
  digest: string;
  /** Ends the server. Removes its folder, unless one was given. */
  close(): Promise<void>;
}

/** The contents of `demo.json` in a filled folder. */
interface Filled {
  seed: number;
  port: number;
  accounts: Record<DemoRole, DemoAccount>;
}

/** Starts a server and fills it, or serves a folder that an earlier demo filled. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const folder = options.dataDir;
  const dataDir = folder === undefined ? await mkdtemp(join(tmpdir(), 'rookery-demo-')) : resolve(folder);
  const removeFolder = async (): Promise<void> => {
    if (folder === undefined)
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await mkdir(dataDir, { recursive: true });
    const demo = await openDemo(dataDir, options);
    return { ...demo, close: () => demo.close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function openDemo(dataDir: string, options: DemoOptions): Promise<Demo> {
  const { onStep = () => undefined, seedOnly = false, halted = !seedOnly } = options;
  const before = await filledFolder(dataDir);
  const { seed, port } = before ?? (await chosenIn(options));
  const settings = settingsFor(dataDir, port);
  if ((options.port ?? port) !== port)
    onStep(`The folder keeps its port ${port}, which its addresses contain`);
  onStep('A database starts');
  const parts = await openParts(
    settings,
    pino({ level: 'warn' }, pino.destination(join(dataDir, 'demo.log'))),
  );
  try {
    const accounts = before?.accounts ?? (await fillFolder(dataDir, { seed, port }, parts.app, onStep));
    if (!seedOnly) onStep('The server opens');
    const served = seedOnly ? undefined : await parts.serve(halted ? accounts.person : undefined);
    return {
      app: parts.app,
      address: parts.app.instance.origin,
      settings,
      accounts,
      haltedReadModel: served?.isHalted ? HALTED : undefined,
      isKept: options.dataDir !== undefined,
      digest: digestOf(planOf(seed)),
      close: () => parts.close(),
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

const chosenIn = async ({
  seed = DEFAULT_SEED,
  port = DEFAULT_PORT,
}: DemoOptions): Promise<Pick<Filled, 'seed' | 'port'>> => ({ seed, port: await portFrom(port) });

async function fillFolder(
  dataDir: string,
  chosen: Pick<Filled, 'seed' | 'port'>,
  app: App,
  onStep: (step: string) => void,
): Promise<Filled['accounts']> {
  const accounts = accountsOf(await fill(app, chosen.seed, onStep));
  await writeFile(join(dataDir, FILLED), JSON.stringify({ ...chosen, accounts } satisfies Filled, null, 2));
  return accounts;
}

const FILLED = 'demo.json';

/** Returns undefined for an empty folder. @throws RookeryError `conflict` for a folder with other files */
async function filledFolder(dataDir: string): Promise<Filled | undefined> {
  const files = await readdir(dataDir);
  if (files.length === 0) return undefined;
  if (!files.includes(FILLED)) {
    throw new RookeryError(
      'conflict',
      `${dataDir} has other files: choose an empty folder, or one that a demo filled`,
    );
  }
  return JSON.parse(await readFile(join(dataDir, FILLED), 'utf8')) as Filled;
}

function accountsOf(residents: ReadonlyMap<string, Resident>): Record<DemoRole, DemoAccount> {
  const entries = Object.entries(ROLES).map(([name, username]) => {
    const resident = residents.get(username);
    if (!resident) throw new Error(`Nobody is called ${username}`);
    const { role = null } = PEOPLE.find((person) => person.username === username) ?? {};
    return [name, { ...resident, username, role: roleOf(role).name }];
  });
  return Object.fromEntries(entries) as Record<DemoRole, DemoAccount>;
}

/** Returns the port, or a free one if it is taken. */
async function portFrom(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (address !== null && typeof address === 'object') return address.port;
  }
  throw new Error('There is no free port');
}
