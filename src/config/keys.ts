import { createECDH, generateKeyPair, randomBytes } from 'node:crypto';
import { link, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ignoreMissing, makeFolder, syncFolder, writeDurably } from '#kernel/files.ts';
import { MasterKey } from '#kernel/master-key.ts';
import { type Config, ConfigError } from './config.ts';
import { type FirstKeyFile, keptKeysOf, keyFileText, parseKeyFile } from './key-file.ts';

/** The keys of this instance. They are not in the log and cannot be recreated. */
export interface Keys {
  /** Wraps the keys of the data subjects, and other secrets in the database (AES-256). */
  master: MasterKey;
  /** Signs cookies, CSRF tokens and paging cursors: 32 bytes, or the bytes of SECRET_KEY_BASE. */
  secret: Buffer;
  /** Web push (RFC 8292): base64url, the public one 65 bytes, the private one 32. */
  vapid: { publicKey: string; privateKey: string };
  /** The instance actor's RSA-2048 pair: SPKI and PKCS#8, PEM. */
  instance: { publicKey: string; privateKey: string };
  /** The seed of the Ed25519 key that signs checkpoints of the log: 32 bytes. Derived from the first master key. */
  checkpointSeed: Buffer;
  /** Digests e-mail addresses: 32 bytes, derived as well. */
  emailDigestKey: Buffer;
  /** Digests IP addresses and ranges: 32 bytes, derived as well. */
  addressDigestKey: Buffer;
  /** Distinguishes this server from others, and has no other use: 16 hexadecimal digits, derived as well. */
  distinction: string;
}

/**
 * Returns the keys of ROOKERY_KEYS, or else of `<dataDir>/keys.json`, which the first start creates. VAPID_*
 * and SECRET_KEY_BASE override both.
 * @throws ConfigError when the text is no key file
 */
export async function loadOrCreateKeys(dataDir: string, secrets: Config['secrets']): Promise<Keys> {
  const file = join(dataDir, 'keys.json');
  const stored =
    secrets.keys === undefined
      ? parseKeyFile((await readIfThere(file)) ?? (await create(file)), file)
      : parseKeyFile(secrets.keys, 'ROOKERY_KEYS');
  const previous = stored.version === 2 ? (stored.previous ?? []) : [];
  const [master = Buffer.alloc(0), ...earlier] = [stored.master, ...previous].map((key) =>
    Buffer.from(key, 'base64url'),
  );
  const kept = keptKeysOf(stored);
  return {
    master: new MasterKey(master, earlier),
    secret:
      secrets.secretKeyBase === undefined
        ? Buffer.from(stored.secret, 'base64url')
        : Buffer.from(secrets.secretKeyBase),
    vapid: checkedVapid(secrets.vapid) ?? {
      publicKey: stored.vapid.public_key,
      privateKey: stored.vapid.private_key,
    },
    instance: { publicKey: stored.instance.public_key, privateKey: stored.instance.private_key },
    checkpointSeed: kept.checkpoints,
    emailDigestKey: kept.email_digest,
    addressDigestKey: kept.address_digest,
    distinction: kept.distinction.toString('hex'),
  };
}

/**
 * Returns the text of the key file that `loadOrCreateKeys` reads, for a backup. @throws ConfigError without
 * one
 */
export async function keyText(dataDir: string, secrets: Config['secrets']): Promise<string> {
  const file = join(dataDir, 'keys.json');
  const text = secrets.keys ?? (await readIfThere(file));
  if (text === undefined) throw new ConfigError([`There is no ${file}, and ROOKERY_KEYS is not set`]);
  return text;
}

/** Stores the key file of another machine, unless one exists here. */
export async function placeKeys(dataDir: string, text: string): Promise<void> {
  parseKeyFile(text, 'keys.json');
  await place(join(dataDir, 'keys.json'), text);
}

function checkedVapid(pair: Config['secrets']['vapid']): Keys['vapid'] | undefined {
  if (pair === undefined) return undefined;
  // Mastodon writes these with padding; browsers and push services expect none.
  const [publicKey, privateKey] = [pair.publicKey, pair.privateKey].map((key) =>
    Buffer.from(key, 'base64url'),
  );
  if (publicKey?.length === 65 && privateKey?.length === 32 && publicKeyOf(privateKey)?.equals(publicKey)) {
    return { publicKey: publicKey.toString('base64url'), privateKey: privateKey.toString('base64url') };
  }
  throw new ConfigError(['VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair of P-256 keys in base64url']);
}

function publicKeyOf(privateKey: Buffer): Buffer | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey);
    return curve.getPublicKey();
  } catch {
    return undefined;
  }
}

const readIfThere = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(ignoreMissing);

/** Creates keys. Returns those of another process that was first. */
async function create(file: string): Promise<string> {
  await place(file, await newKeys());
  return readFile(file, 'utf8');
}

/** Writes the whole file or nothing, and never over another file. */
async function place(file: string, text: string): Promise<void> {
  const folder = join(file, '..');
  await makeFolder(folder);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeDurably(temporary, text, { flags: 'wx' });
  try {
    // A link fails where a rename would replace keys that another process uses already.
    await link(temporary, file);
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(temporary);
  }
}

async function newKeys(): Promise<string> {
  // Loaded only on the first start, so an idle server saves its memory.
  const { default: webPush } = await import('web-push');
  const vapid = webPush.generateVAPIDKeys();
  const keys: FirstKeyFile = {
    version: 1,
    master: randomBytes(32).toString('base64url'),
    secret: randomBytes(32).toString('base64url'),
    vapid: { public_key: vapid.publicKey, private_key: vapid.privateKey },
    instance: await newInstancePair(),
  };
  return keyFileText(keys);
}

/** Makes the pair of the instance actor (RSA-2048). */
export async function newInstancePair(): Promise<FirstKeyFile['instance']> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { public_key: publicKey, private_key: privateKey };
}
