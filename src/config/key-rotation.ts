import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, chown, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '#kernel/files.ts';
import type { Config } from './config.ts';
import { keptKeysOf, type KeyFile, keyFileText, parseKeyFile, type ReplacedKeyFile } from './key-file.ts';
import { keyText, newInstancePair } from './keys.ts';

/** A key file whose master key is being replaced. */
export interface Rotation {
  /** The same on each run until the replacement ends. */
  id: string;
  /** The text of the file, with the new master key and those before it. */
  text: string;
  /** False when an earlier run began it. */
  begins: boolean;
}

/**
 * Returns the key file with a new master key, and the present one as the previous one. Returns the file as it
 * is when a replacement is under way.
 * @throws ConfigError when there is no key file
 */
export async function rotationOf(dataDir: string, secrets: Config['secrets']): Promise<Rotation> {
  const text = await keyText(dataDir, secrets);
  const keys = parseKeyFile(text, 'keys.json');
  if (keys.version === 2 && keys.rotation !== undefined) return { id: keys.rotation, text, begins: false };
  const id = randomUUID();
  return { id, text: keyFileText(withNewMaster(keys, id)), begins: true };
}

function withNewMaster(keys: KeyFile, rotation: string): ReplacedKeyFile {
  const { email_digest, address_digest, checkpoints, distinction } = keptKeysOf(keys);
  const encoded = (key: Buffer): string => key.toString('base64url');
  return {
    ...keys,
    version: 2,
    master: encoded(randomBytes(32)),
    previous: [keys.master, ...(keys.version === 2 ? (keys.previous ?? []) : [])],
    rotation,
    kept: {
      email_digest: encoded(email_digest),
      address_digest: encoded(address_digest),
      checkpoints: encoded(checkpoints),
      distinction: encoded(distinction),
    },
  };
}

/** Returns the text of the key file after a replacement: without the earlier master keys, or with them. */
export function rotatedText(text: string, { keepOld }: { keepOld: boolean }): string {
  const keys = parseKeyFile(text, 'keys.json');
  if (keys.version === 1) return text;
  const { previous, rotation: _, ...rest } = keys;
  return keyFileText({ ...rest, ...(keepOld && previous ? { previous } : {}) });
}

/** Returns the text of the key file with a new pair for the instance actor. */
export async function withNewInstanceKey(dataDir: string, secrets: Config['secrets']): Promise<string> {
  const keys = parseKeyFile(await keyText(dataDir, secrets), 'keys.json');
  return keyFileText({ ...keys, instance: await newInstancePair() });
}

/**
 * Replaces the whole key file or nothing. The new file has the owner and the permissions of the former one; a
 * symbolic link stays one.
 */
export async function replaceKeys(dataDir: string, text: string): Promise<void> {
  const file = await realpath(join(dataDir, 'keys.json'));
  const { mode, uid, gid } = await stat(file);
  const part = `${file}.part`;
  // A killed run leaves it behind.
  await rm(part, { force: true });
  try {
    await writeDurably(part, text, { flags: 'wx' });
    await chmod(part, mode & 0o7777);
    const made = await stat(part);
    if (made.uid !== uid || made.gid !== gid) await chown(part, uid, gid);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncFolder(join(file, '..'));
}
