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
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '#config/config.ts';
import { notFound } from '#kernel/errors.ts';
import type { MediaStore, StoredFile } from '#kernel/services/media.ts';
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
  read: (key: string, range?: string) => Promise<Part | null>;
  close(): void;
}

/**
 * Opens a store in a bucket of any S3 service. Methods throw RookeryError `not_found` for text that is no
 * key.
 * @param answerWithin milliseconds for each request; files get more, by their size
 */
export const openS3MediaStore = (config: S3Config, answerWithin = ANSWER_WITHIN): S3MediaStore =>
  new BucketStore(config, answerWithin);

class BucketStore implements S3MediaStore {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #answerWithin: number;

  constructor(config: S3Config, answerWithin: number) {
    this.#bucket = config.bucket;
    this.#client = openS3Client(config);
    this.#answerWithin = answerWithin;
  }

  put: S3MediaStore['put'] = (data, file) => this.#upload(mediaKey(data, file), data, data.length, file);

  putFile: S3MediaStore['putFile'] = async (path, file) => {
    const key = await mediaKeyOfFile(path, file);
    const { size: length } = await stat(path);
    if ((await this.size(key)) === length) return key;
    return withFile(path, {}, (body) => this.#upload(key, body, length, file));
  };

  fetch: S3MediaStore['fetch'] = async (key, path) => {
    const found = await this.read(key);
    if (!found) throw notFound();
    await inTime(this.#timeFor(found.size), (signal) =>
      pipeline(found.stream, createWriteStream(path), { signal }),
    );
  };

  read: S3MediaStore['read'] = async (key, range) => {
    try {
      const get = new GetObjectCommand({
        ...this.#object(key),
        ...(range === undefined ? {} : { Range: range }),
      });
      // The deadline covers the reply's head, because readers of a body may be slow.
      const { Body, ContentLength, ContentRange } = await inTime(this.#answerWithin, (abortSignal) =>
        this.#client.send(get, { abortSignal }),
      );
      if (!(Body instanceof Readable)) return null;
      return {
        stream: Body,
        size: ContentLength ?? 0,
        ...(ContentRange === undefined ? {} : { contentRange: ContentRange }),
      };
    } catch (error) {
      if (isMissing(error)) return null;
      if (range !== undefined && (error as { name?: string }).name === 'InvalidRange') return this.read(key);
      throw error;
    }
  };

  copy: S3MediaStore['copy'] = async (key, owner) => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-copy-'));
    try {
      const path = join(folder, 'file');
      await this.fetch(key, path);
      return await this.putFile(path, fileOf(key, owner));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  size: S3MediaStore['size'] = async (key) => {
    try {
      const head = new HeadObjectCommand(this.#object(key));
      const reply = await inTime(this.#answerWithin, (abortSignal) =>
        this.#client.send(head, { abortSignal }),
      );
      return reply.ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  remove: S3MediaStore['remove'] = async (key) => {
    const gone = new DeleteObjectCommand(this.#object(key));
    await inTime(this.#answerWithin, (abortSignal) => this.#client.send(gone, { abortSignal }));
  };

  close = (): void => this.#client.destroy();

  #object(key: string): { Bucket: string; Key: string } {
    if (!isMediaKey(key)) throw notFound();
    return { Bucket: this.#bucket, Key: key };
  }

  #timeFor(bytes: number): number {
    return this.#answerWithin + bytes / BYTES_PER_MILLISECOND;
  }

  async #upload(
    key: string,
    body: Buffer | Readable,
    length: number,
    { contentType }: StoredFile,
  ): Promise<string> {
    const put = new PutObjectCommand({
      ...this.#object(key),
      Body: body,
      ContentLength: length,
      ContentType: contentType,
      CacheControl: FOR_EVER,
      // Browsers must not show original uploads.
      ...(contentType === 'application/octet-stream' ? { ContentDisposition: 'attachment' } : {}),
    });
    await inTime(this.#timeFor(length), (abortSignal) => this.#client.send(put, { abortSignal }));
    return key;
  }
}
