import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { recordKeyReplacement } from '#commands/admin/audit/index.ts';
import { type Config, loadConfig } from '#config/config.ts';
import { replaceKeys, rotatedText, rotationOf, withNewInstanceKey } from '#config/key-rotation.ts';
import { keyText, loadOrCreateKeys } from '#config/keys.ts';
import { renewDigests, TokenDigests } from '#interfaces/oauth/token-digest.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { MasterKey } from '#kernel/master-key.ts';
import type { Db } from '#kernel/read.ts';
import { reseal } from '#operations/reseal.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { asOperator } from './operator.ts';
import { confirm, printResult } from './output.ts';
import { countProgress } from './progress.ts';
import { refuseRunning } from './refuse-running.ts';
import { withDatabase } from './with-database.ts';

/** `rookery keys`: replaces keys of `keys.json`, with the server stopped. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('Replace keys of keys.json, while the server is stopped');
  keys
    .command('rotate-master')
    .description(
      'Make a new master key and encrypt with it everything that the present one encrypts; after an interruption, ' +
        'the same command continues',
    )
    .option('--keep-old', 'keep the former master key in the file, to restore backups from before')
    .action(({ keepOld = false }: { keepOld?: boolean }) =>
      whileStopped((stopped) => rotateMaster(stopped, keepOld)),
    );
  keys
    .command('rotate-instance')
    .description('Give the actor of the server, which signs requests to other servers, a new key')
    .action(() => whileStopped(rotateInstance));
  return keys;
}

/** A server that is stopped, and cannot be rotated by another run. */
interface Stopped {
  config: Config;
  url: string;
  dataDir: string;
  /** @throws Error when a server was started meanwhile, or another run is possible again */
  assertStopped: () => Promise<void>;
}

/** @throws RookeryError `conflict` while a server runs; ConfigError without keys */
async function whileStopped(work: (stopped: Stopped) => Promise<void>): Promise<void> {
  const settings = loadConfig();
  const dataDir = resolve(settings.dataDir);
  // Before a database is made for a folder without keys.
  await keyText(dataDir, settings.secrets);
  await withDatabase(async ({ config, url }) => {
    await refuseRunning(url);
    await withLock(url, (lock) => {
      const assertStopped = async (): Promise<void> => {
        await refuseRunning(url);
        await lock.query('select 1');
      };
      return work({ config, url, dataDir, assertStopped });
    });
  }, settings);
}

/** Two runs at a time would each make a master key, and one of them would be lost. */
async function withLock(url: string, work: (lock: Db) => Promise<void>): Promise<void> {
  // `refuseRunning` takes no notice of this name.
  const db = openDatabase({ url, max: 1, applicationName: 'keys of rookery', statementTimeout: 0 });
  try {
    await db.transaction(async (lock) => {
      await lock.query('set local idle_in_transaction_session_timeout = 0');
      const [row] = await lock.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
        LOCKS.masterKey,
      ]);
      if (row?.held !== true) throw new RookeryError('conflict', 'Another "rookery keys" runs already');
      await work(lock);
    });
  } finally {
    await db.close();
  }
}

async function rotateMaster(stopped: Stopped, keepOld: boolean): Promise<void> {
  const { config, dataDir } = stopped;
  const { secrets } = config;
  const { id, text, begins } = await rotationOf(dataDir, secrets);
  if (begins && secrets.keys !== undefined) return printFirst(text);
  if (begins) await replaceKeys(dataDir, text);
  const changed = (await resealAll(stopped, id, keepOld)) + (await resealRest(stopped));
  const rotated = rotatedText(text, { keepOld });
  const { master } = await loadOrCreateKeys('', { ...secrets, keys: rotated });
  if (secrets.keys === undefined) await replaceKeys(dataDir, rotated);
  confirm(`The master key is a new one, ${master.id}: ${changed} values are encrypted with it`, {
    master_key: master.id,
    changed,
  });
  if (secrets.keys === undefined) {
    confirm('Make a backup now. Machines that share the database need the new keys.json before they start');
  } else {
    confirm('Set ROOKERY_KEYS to this on every machine, before a server starts:');
    printKeys(rotated);
  }
}

/** Nothing is encrypted with a key that is not stored anywhere yet. */
function printFirst(text: string): void {
  confirm('Nothing was changed yet. Set ROOKERY_KEYS to this on every machine, then give the command again:');
  printKeys(text);
}

/** Prints the text of a key file on one line, for a variable. */
const printKeys = (text: string): void => {
  const keys = JSON.stringify(JSON.parse(text));
  printResult(keys, { keys });
};

/** Encrypts everything with the new key, and records that. @returns the number of values */
async function resealAll({ config }: Stopped, rotationId: string, keepOld: boolean): Promise<number> {
  let changed = 0;
  await asOperator(
    async ({ app, ctx, catchUp }) => {
      changed = await resealIn(app.db, app.keys.master);
      await recordKeyReplacement(ctx, { rotation_id: rotationId, key: 'master', kept_old: keepOld });
      await catchUp();
    },
    {},
    config,
  );
  return changed;
}

/**
 * Encrypts what a server wrote that began before the new key was in the file and ended since.
 * @throws RookeryError `conflict` while a server runs, which may still write with the former key
 */
async function resealRest({ config, url, dataDir, assertStopped }: Stopped): Promise<number> {
  await assertStopped();
  const { master } = await loadOrCreateKeys(dataDir, config.secrets);
  const db = openDatabase({ url, max: 1, applicationName: 'rookery keys' });
  try {
    return await resealIn(db, master);
  } finally {
    await db.close();
  }
}

async function resealIn(db: Db, master: MasterKey): Promise<number> {
  const progress = countProgress('Checked', 'encrypted values');
  try {
    const { changed, unreadable } = await reseal(db, master, progress.update);
    for (const column of unreadable) {
      printResult(`No key decrypts, and nothing changed: ${column}`, { unreadable: column });
    }
    return changed + (await renewDigests(db, new TokenDigests(master)));
  } finally {
    progress.stop();
  }
}

async function rotateInstance({ config, dataDir, assertStopped }: Stopped): Promise<void> {
  const text = await withNewInstanceKey(dataDir, config.secrets);
  // A replacement is never without its entry in the audit log.
  await asOperator(
    async ({ ctx, catchUp }) => {
      await recordKeyReplacement(ctx, { rotation_id: randomUUID(), key: 'instance', kept_old: false });
      await catchUp();
    },
    {},
    config,
  );
  await assertStopped();
  if (config.secrets.keys === undefined) {
    await replaceKeys(dataDir, text);
    confirm(
      'The key of the instance actor is a new one. Machines that share the database need the new keys.json',
    );
  } else {
    confirm('Set ROOKERY_KEYS to this on every machine, before a server starts:');
    printKeys(text);
  }
}
