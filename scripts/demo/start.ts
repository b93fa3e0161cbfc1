import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { roleOf } from '../../src/mastodon/permissions.ts';
import { digestOf, planOf } from './plan.ts';
import { seed as fill, type Resident } from './seed/index.ts';
import { openParts, settingsFor } from './serving.ts';
import { AUDITOR, MODERATOR, OPERATOR, PEOPLE, PERSON } from './texts/people.ts';

export const DEFAULT_PORT = 3_030;
export const DEFAULT_SEED = 1;
const ROLES = { person: PERSON, moderator: MODERATOR, auditor: AUDITOR, operator: OPERATOR } as const;
export type DemoRole = keyof typeof ROLES;

/** Somebody whose password the demo knows. */
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
}

/** A running demo. */
export interface Demo {
  /** The address of the server, without a trailing slash. */
  address: string;
  /** The settings of the server, for what works beside it. */
  settings: Record<string, string>;
  accounts: Record<DemoRole, DemoAccount>;
  /** A digest of names, texts, pictures and relations; see `digestOf`. */
  digest: string;
  /** Ends the server. Removes its folder, unless one was given. */
  close(): Promise<void>;
}

/** What a filled folder remembers. */
interface Filled {
  seed: number;
  port: number;
  accounts: Record<DemoRole, DemoAccount>;
}

/** Starts a server and fills it, or serves a folder that an earlier demo filled. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { onStep = () => undefined, seedOnly = false } = options;
  const dataDir =
    options.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'rookery-demo-')) : resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const before = await filledFolder(dataDir);
  const port = before?.port ?? (await portFrom(options.port ?? DEFAULT_PORT));
  const seed = before?.seed ?? options.seed ?? DEFAULT_SEED;
  const settings = settingsFor(dataDir, port);
  const removeFolder = async (): Promise<void> => {
    if (options.dataDir === undefined)
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    onStep('A database starts');
    const parts = await openParts(settings, pino({ level: 'error' }));
    const close = (): Promise<void> => parts.close().finally(removeFolder);
    try {
      const accounts = before?.accounts ?? accountsOf(await fill(parts.app, seed, onStep));
      if (!before)
        await writeFile(fileIn(dataDir), JSON.stringify({ seed, port, accounts } satisfies Filled, null, 2));
      if (!seedOnly) {
        onStep('The server opens');
        await parts.serve();
      }
      return {
        address: parts.app.instance.origin,
        settings,
        accounts,
        digest: digestOf(planOf(seed)),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json');

async function filledFolder(dataDir: string): Promise<Filled | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Filled);
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
