import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { RookeryError } from '#kernel/errors.ts';
import type { StoredFile } from '#kernel/services/media.ts';
import { FILE_TYPES } from '#mastodon/media-limits.ts';

/** The name of a stored file: `ab/cd/<SHA-256 of its content>.<extension>`. Also its path in URLs. */
export type MediaKey = string;

/** Tells whether a store can have issued a key. No other text reaches a file system or a bucket. */
export const isMediaKey = (key: string): key is MediaKey => {
  const [, first, second, hash] =
    /^([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{64})\.[a-z0-9]{1,8}$/.exec(key) ?? [];
  return hash !== undefined && hash.startsWith(`${first}${second}`);
};

/** Returns the key of some bytes, the same in every kind of store. The owner, if any, is hashed first. */
export function mediaKey(data: Buffer, file: Pick<StoredFile, 'extension' | 'owner'>): MediaKey {
  return keyOf(hashFor(file).update(data).digest('hex'), file.extension);
}

/** Returns the key of a file's content. */
export async function mediaKeyOfFile(
  path: string,
  file: Pick<StoredFile, 'extension' | 'owner'>,
): Promise<MediaKey> {
  const hash = hashFor(file);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return keyOf(hash.digest('hex'), file.extension);
}

/** Describes a stored file for another owner. */
export const fileOf = (key: MediaKey, owner: string): StoredFile => ({
  extension: extname(key).slice(1),
  contentType: FILE_TYPES[extname(key)] ?? 'application/octet-stream',
  owner,
});

const hashFor = ({ owner }: Pick<StoredFile, 'owner'>) =>
  owner === undefined ? createHash('sha256') : createHash('sha256').update(`${owner}\n`);

function keyOf(hash: string, extension: string): MediaKey {
  const key = `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.${extension}`;
  if (!isMediaKey(key)) throw new RookeryError('bad_request', 'Not a file extension');
  return key;
}
