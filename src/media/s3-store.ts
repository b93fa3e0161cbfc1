import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../config.ts';
import { notFound } from '../kernel/errors.ts';
import type { MediaStore, StoredFile } from '../kernel/services/media.ts';
import { isMediaKey, mediaKey, mediaKeyOfFile } from './keys.ts';
import { isMissing, openS3Client } from './s3-client.ts';

/** As `src/http/static.ts` has it: what a key names never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** A part of a file, or all of it; `contentRange` as the header has it. */
export interface Part {
  stream: Readable;
  size: number;
  contentRange?: string;
}

export interface S3MediaStore extends MediaStore {
  /** `range` as the header has it: `bytes=0-99`. One that cannot be satisfied counts as none. */
  read(key: string, range?: string): Promise<Part | null>;
  close(): void;
}

/** A store in a bucket of any S3 service. Methods throw RookeryError `not_found` for what is not a key. */
export function openS3MediaStore(config: S3Config): S3MediaStore {
  const { bucket } = config;
  const client = openS3Client(config);
  const place = (key: string): { Bucket: string; Key: string } => {
    if (!isMediaKey(key)) throw notFound();
    return { Bucket: bucket, Key: key };
  };
  const size = async (key: string): Promise<number | undefined> => {
    try {
      return (await client.send(new HeadObjectCommand(place(key)))).ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  const upload = async (
    key: string,
    body: Buffer | Readable,
    length: number,
    { contentType }: StoredFile,
  ): Promise<string> => {
    await client.send(
      new PutObjectCommand({
        ...place(key),
        Body: body,
        ContentLength: length,
        ContentType: contentType,
        CacheControl: FOR_EVER,
        // Uploads as they came are nothing to look at.
        ...(contentType === 'application/octet-stream' ? { ContentDisposition: 'attachment' } : {}),
      }),
    );
    return key;
  };

  const read = async (key: string, range?: string): Promise<Part | null> => {
    try {
      const { Body, ContentLength, ContentRange } = await client.send(
        new GetObjectCommand({ ...place(key), ...(range === undefined ? {} : { Range: range }) }),
      );
      if (!(Body instanceof Readable)) return null;
      return {
        stream: Body,
        size: ContentLength ?? 0,
        ...(ContentRange === undefined ? {} : { contentRange: ContentRange }),
      };
    } catch (error) {
      if (isMissing(error)) return null;
      if (range !== undefined && (error as { name?: string }).name === 'InvalidRange') return read(key);
      throw error;
    }
  };

  return {
    put: (data, file) => upload(mediaKey(data, file), data, data.length, file),

    async putFile(path, file) {
      const key = await mediaKeyOfFile(path, file);
      const { size: length } = await stat(path);
      if ((await size(key)) === length) return key;
      return upload(key, createReadStream(path), length, file);
    },

    async fetch(key, path) {
      const found = await read(key);
      if (!found) throw notFound();
      await pipeline(found.stream, createWriteStream(path));
    },

    read,

    async remove(key) {
      await client.send(new DeleteObjectCommand(place(key)));
    },

    close: () => client.destroy(),
  };
}
