import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/config.ts';
import { notFound } from '../../kernel/errors.ts';
import type { MediaStore, StoredFile } from '../../kernel/services/media.ts';
import { fileOf, isMediaKey, mediaKey, mediaKeyOfFile } from './keys.ts';
import { ANSWER_WITHIN, inTime, isMissing, openS3Client, withFile } from './s3-client.ts';

/** Like `src/interfaces/http/static.ts`: the content of a key never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The slowest line on which a transfer completes in time. */
const BYTES_PER_MILLISECOND = 100;

/** A part of a file, or the whole; `contentRange` has the header's form. */
export interface Part {
  stream: Readable;
  size: number;
  contentRange?: string;
}

export interface S3MediaStore extends MediaStore {
  /** `range` has the header's form: `bytes=0-99`. A range that cannot be satisfied is ignored. */
  read(key: string, range?: string): Promise<Part | null>;
  close(): void;
}

/**
 * Opens a store in a bucket of any S3 service. Methods throw RookeryError `not_found` for text that is no
 * key.
 * @param answerWithin milliseconds for each request; files get more, by their size
 */
export function openS3MediaStore(config: S3Config, answerWithin = ANSWER_WITHIN): S3MediaStore {
  const { bucket } = config;
  const client = openS3Client(config);
  const place = (key: string): { Bucket: string; Key: string } => {
    if (!isMediaKey(key)) throw notFound();
    return { Bucket: bucket, Key: key };
  };
  const timeFor = (bytes: number): number => answerWithin + bytes / BYTES_PER_MILLISECOND;
  const size = async (key: string): Promise<number | undefined> => {
    try {
      const head = new HeadObjectCommand(place(key));
      return (await inTime(answerWithin, (abortSignal) => client.send(head, { abortSignal }))).ContentLength;
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
    const put = new PutObjectCommand({
      ...place(key),
      Body: body,
      ContentLength: length,
      ContentType: contentType,
      CacheControl: FOR_EVER,
      // Browsers must not show original uploads.
      ...(contentType === 'application/octet-stream' ? { ContentDisposition: 'attachment' } : {}),
    });
    await inTime(timeFor(length), (abortSignal) => client.send(put, { abortSignal }));
    return key;
  };

  const read = async (key: string, range?: string): Promise<Part | null> => {
    try {
      const get = new GetObjectCommand({ ...place(key), ...(range === undefined ? {} : { Range: range }) });
      // The deadline covers the reply's head, because readers of a body may be slow.
      const { Body, ContentLength, ContentRange } = await inTime(answerWithin, (abortSignal) =>
        client.send(get, { abortSignal }),
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

  const store: S3MediaStore = {
    put: (data, file) => upload(mediaKey(data, file), data, data.length, file),

    async putFile(path, file) {
      const key = await mediaKeyOfFile(path, file);
      const { size: length } = await stat(path);
      if ((await size(key)) === length) return key;
      return withFile(path, {}, (body) => upload(key, body, length, file));
    },

    async fetch(key, path) {
      const found = await read(key);
      if (!found) throw notFound();
      await inTime(timeFor(found.size), (signal) =>
        pipeline(found.stream, createWriteStream(path), { signal }),
      );
    },

    read,

    async copy(key, owner) {
      const folder = await mkdtemp(join(tmpdir(), 'rookery-copy-'));
      try {
        const path = join(folder, 'file');
        await store.fetch(key, path);
        return await store.putFile(path, fileOf(key, owner));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async remove(key) {
      const gone = new DeleteObjectCommand(place(key));
      await inTime(answerWithin, (abortSignal) => client.send(gone, { abortSignal }));
    },

    close: () => client.destroy(),
  };
  return store;
}
