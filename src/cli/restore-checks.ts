import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import { keyText, loadOrCreateKeys } from '#config/keys.ts';
import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { SealingBox } from '#kernel/master-key.ts';
import {
  assertIntact,
  countUsersKeys,
  damagedMedia,
  filesOf,
  isSigned,
  type Manifest,
  readErasures,
} from '#operations/backup/index.ts';
import { verifierKeyOf } from '#operations/transparency-log/index.ts';
import { unknownMigrations } from '#storage/postgres/migrations/index.ts';
import { printResult } from './output.ts';
import { countProgress } from './progress.ts';

/*
 * Everything that can refuse a restore before it writes anything.
 */

/** @throws RookeryError `invalid` */
export function checkSettings(
  { eventStoreUrl, site }: Config,
  { local_domain, log_in, migrations, made_by }: Manifest,
): void {
  if (eventStoreUrl !== undefined && log_in === 'database') {
    throw invalid('The log is in this backup, for PostgreSQL: unset EVENTSTORE_URL');
  }
  if (eventStoreUrl === undefined && log_in === 'eventstoredb') {
    throw invalid('The log is not in this backup: restore EventStoreDB first, and set EVENTSTORE_URL');
  }
  if (site.localDomain !== local_domain) {
    throw invalid(
      `This is a backup of ${local_domain}: set LOCAL_DOMAIN to that, not to ${site.localDomain}`,
    );
  }
  if (unknownMigrations(migrations).length > 0) {
    throw invalid(`This backup was made by a later version (${made_by}): restore it with that`);
  }
}

/**
 * Checks that the keys are those of the backup.
 * @returns the text of the key file in the backup, where there is none here yet
 * @throws RookeryError `conflict` when other keys exist, or none
 */
export async function checkKeys(
  { dataDir, secrets, site }: Config,
  dir: string,
  manifest: Manifest,
): Promise<string | undefined> {
  const isHere =
    secrets.keys !== undefined ||
    (await stat(join(dataDir, 'keys.json')).catch(() => undefined)) !== undefined;
  if (!isHere && !manifest.keys) {
    throw wrongKeys(`The keys are not in this backup: put keys.json into ${dataDir} first`);
  }
  const text = isHere ? await keyText(dataDir, secrets) : await readFile(join(dir, 'keys.json'), 'utf8');
  if ((await logKeyIn(text, secrets, site.localDomain)) !== manifest.log_key) {
    const place = secrets.keys === undefined ? (isHere ? dataDir : dir) : 'ROOKERY_KEYS';
    throw wrongKeys(
      place === 'ROOKERY_KEYS'
        ? 'The keys in ROOKERY_KEYS are not those of the backup'
        : `The keys in ${place} are not those of the backup`,
    );
  }
  return isHere ? undefined : text;
}

/** The arguments are right, the keys are not those of the data: the command is refused, as by a server. */
const wrongKeys = (message: string): RookeryError => new RookeryError('conflict', message);

/** Returns the key that signs checkpoints, by the text of a key file. @throws ConfigError for any other text */
export async function logKeyIn(text: string, secrets: Config['secrets'], domain: string): Promise<string> {
  // No folder: nothing is read from there, since the text is given.
  const { checkpointSeed } = await loadOrCreateKeys('', { ...secrets, keys: text });
  return verifierKeyOf(checkpointSeed, domain);
}

/**
 * Checks that the master key decrypts the backup, which may be older than that key.
 * @param keys the text of the key file to place; undefined where the keys are there already
 * @returns the box that opens the sealed files of the backup
 * @throws RookeryError `conflict` when it decrypts nothing
 */
export async function checkMasterKey(
  { dataDir, secrets }: Config,
  dir: string,
  manifest: Manifest,
  keys: string | undefined,
): Promise<SealingBox> {
  const text = keys ?? (await keyText(dataDir, secrets));
  const { master } = await loadOrCreateKeys('', { ...secrets, keys: text });
  const { all, unreadable } = await countUsersKeys(dir, manifest, master);
  if (unreadable === 0) return master.backupBox();
  if (unreadable === all) {
    throw wrongKeys(
      'The master key was replaced since this backup: restore it with the keys.json of that time, and replace the key again',
    );
  }
  printResult(`The master key does not decrypt the keys of ${unreadable} of ${all} users`, { unreadable });
  return master.backupBox();
}

export interface FileOptions {
  /** Damaged media files are left out. */
  withoutDamagedMedia?: true;
  /** A backup without a signature is accepted. */
  unsigned?: true;
}

/**
 * Checks the signature of a backup, and every file.
 * @returns the keys of damaged media files, which are to be left out
 * @throws RookeryError `conflict` for a changed or damaged file, `invalid` without a signature
 */
export async function checkFiles(
  dir: string,
  manifest: Manifest,
  { withoutDamagedMedia, unsigned, media }: FileOptions & { media: boolean },
): Promise<Set<string>> {
  if (!(await isSigned(dir, manifest.log_key)) && !unsigned) {
    throw invalid(
      'backup.json has no signature: a version before 0.2 made it, or somebody changed it. --unsigned accepts it',
    );
  }
  await assertIntact(dir, filesOf(manifest));
  const damaged = new Set<string>();
  if (!manifest.media_list || !media) return damaged;
  const files = countProgress('Checked', `of ${manifest.media_list.rows} files of media`);
  let count = 0;
  const onChecked = (): void => files.update((count += 1));
  try {
    for await (const { key, path } of damagedMedia(dir, manifest.media_list, onChecked)) {
      if (!withoutDamagedMedia) {
        throw altered(`${path} is not what was backed up; --without-damaged-media restores everything else`);
      }
      damaged.add(key);
    }
  } finally {
    files.stop();
  }
  return damaged;
}

/**
 * Returns the subjects in a list of erasures.
 * @throws RookeryError `not_found` for a missing list, because a mistyped name must not restore erased users
 */
export async function erasedSubjects(file: string): Promise<Set<string>> {
  if ((await stat(file).catch(() => undefined))?.isFile() === true) return readErasures(file);
  throw new RookeryError('not_found', `There is no file ${file}`);
}
