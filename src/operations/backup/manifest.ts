import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { replaceFile } from '#kernel/files.ts';
import { parseOrNothing } from '#kernel/parse-json.ts';
import { signsText } from '../transparency-log/offline.ts';

/** A file of a backup: `rows` counts its lines. The digest is of the bytes on disk. */
const file = z.object({
  name: z.string().regex(/^[a-z0-9_.-]{1,100}$/),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Its pages are encrypted with a key that derives from the master key. */
  sealed: z.boolean().optional(),
});
export type BackupFile = z.infer<typeof file>;

/** The contents of `backup.json`, which is written last: a folder without it is no backup. */
const manifest = z.object({
  /** 2: rows are sealed. */
  format: z.union([z.literal(1), z.literal(2)]),
  id: z.uuid(),
  /** The version of the program. */
  made_by: z.string().max(100),
  /** The time of the snapshot, ISO 8601. */
  taken_at: z.iso.datetime(),
  local_domain: z.string().max(300),
  /** The public key that signs checkpoints of the log. It identifies the matching key file. */
  log_key: z.string().max(1_000),
  /** A log in EventStoreDB is backed up by EventStoreDB's own tools. */
  log_in: z.enum(['database', 'eventstoredb']).default('database'),
  /** The position of the last event; for a log in EventStoreDB, the last one that the read models knew. */
  position: z.string().regex(/^\d{1,19}$/),
  /** The migrations of the durable tables. */
  migrations: z.array(z.string().max(200)).max(10_000),
  /** Whether the backup contains `keys.json`. */
  keys: z.boolean(),
  /** `bucket`: the media files are in an S3 service, and not in the backup. */
  media: z.enum(['files', 'bucket', 'none']),
  /** The log, durable tables in the order in which they are filled, jobs, the list of media. */
  log: file,
  tables: z.array(file).max(1_000),
  jobs: file,
  media_list: file.optional(),
  /** A signed note with the digest of everything else. Versions before 0.2 did not sign. */
  signature: z.string().max(2_000).optional(),
});
export type Manifest = z.infer<typeof manifest>;

const NAME = 'backup.json';

/**
 * @throws RookeryError `not_found` without a complete backup, `invalid` for one that this version cannot read
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, NAME), 'utf8').catch(() => {
    throw new RookeryError('not_found', `There is no finished backup in ${dir}`);
  });
  const parsed = manifest.safeParse(parseOrNothing(text));
  if (parsed.success) return parsed.data;
  const members = parsed.error.issues.map(({ path }) => path.join('.') || 'everything');
  throw invalid(
    `${join(dir, NAME)} is not as this version writes it; wrong or missing: ${members.join(', ')}`,
  );
}

/** Returns all files of the manifest. */
export const filesOf = ({ log, tables, jobs, media_list }: Manifest): BackupFile[] => [
  log,
  ...tables,
  jobs,
  ...(media_list ? [media_list] : []),
];

/** Signs a text under a name, as a note. */
export type SignText = (text: string, name: string) => string;

/**
 * Checks that the manifest is signed by a key, and that nothing in it was changed afterwards.
 * @param key as `rookery log key` prints it
 * @returns false for a manifest without a signature
 * @throws RookeryError `conflict` when it was changed, or signed by another key
 */
export async function isSigned(dir: string, key: string): Promise<boolean> {
  const path = join(dir, NAME);
  const { signature, ...content } = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  if (signature === undefined) return false;
  if (signsText(signature, digestText(content), key)) return true;
  throw altered(`${path} is not what was signed`);
}

/** The members stand in the order in which they are written. */
const digestText = (content: Manifest): string =>
  `${content.local_domain}\nbackup ${createHash('sha256').update(JSON.stringify(content)).digest('hex')}\n`;

/** Writes the whole file, signed, or nothing. */
export async function writeManifest(dir: string, content: Manifest, sign: SignText): Promise<void> {
  const signed = { ...content, signature: sign(digestText(content), content.local_domain) };
  await replaceFile(join(dir, NAME), `${JSON.stringify(signed, null, 2)}\n`);
}
