import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { S3Config } from '#config/config.ts';
import { ANSWER_WITHIN, inTime, isMissing, openS3Client, withFile } from '../media/s3-client.ts';
import type { ArchiveFiles } from './files.ts';

/** No media key begins like this, so the server never serves these files. */
const PREFIX = 'archives/';
/**
 * A service accepts 5 GiB per request, and 10,000 parts.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const PART_BYTES = 512 * 1024 * 1024;

const STORED = { ContentType: 'application/octet-stream', CacheControl: 'private, no-store' };

/** Stores files in a bucket, larger ones in parts. `partBytes` is at least 5 MiB. */
export const openS3Files = (config: S3Config, partBytes = PART_BYTES): ArchiveFiles =>
  new BucketFiles(config, partBytes);

class BucketFiles implements ArchiveFiles {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #partBytes: number;

  constructor(config: S3Config, partBytes: number) {
    this.#bucket = config.bucket;
    this.#client = openS3Client(config);
    this.#partBytes = partBytes;
  }

  async put(path: string, name: string, abortSignal: AbortSignal): Promise<{ size: number }> {
    const { size } = await stat(path);
    if (size > this.#partBytes) await this.#putParts(path, name, size, abortSignal);
    else {
      const object = { ...this.#object(name), ...STORED, ContentLength: size };
      await withFile(path, {}, (Body) =>
        this.#client.send(new PutObjectCommand({ ...object, Body }), { abortSignal }),
      );
    }
    return { size };
  }

  async read(name: string): ReturnType<ArchiveFiles['read']> {
    try {
      const get = new GetObjectCommand(this.#object(name));
      const { Body, ContentLength } = await inTime(ANSWER_WITHIN, (late) =>
        this.#client.send(get, { abortSignal: late }),
      );
      return Body instanceof Readable ? { stream: Body, size: ContentLength ?? 0 } : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const gone = new DeleteObjectCommand(this.#object(name));
    await inTime(ANSWER_WITHIN, (late) => this.#client.send(gone, { abortSignal: late }));
  }

  close(): void {
    this.#client.destroy();
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${PREFIX}${name}` };
  }

  async #putParts(path: string, name: string, size: number, abortSignal: AbortSignal): Promise<void> {
    const create = new CreateMultipartUploadCommand({ ...this.#object(name), ...STORED });
    const { UploadId } = await this.#client.send(create, { abortSignal });
    const upload = { ...this.#object(name), UploadId };
    try {
      const parts: CompletedPart[] = [];
      for (let start = 0; start < size; start += this.#partBytes) {
        const length = Math.min(this.#partBytes, size - start);
        const part = { ...upload, PartNumber: parts.length + 1, ContentLength: length };
        const { ETag } = await withFile(path, { start, end: start + length - 1 }, (Body) =>
          this.#client.send(new UploadPartCommand({ ...part, Body }), { abortSignal }),
        );
        parts.push({ ETag, PartNumber: part.PartNumber });
      }
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
      await this.#client.send(complete, { abortSignal });
    } catch (error) {
      // The service would keep orphaned parts, and charge for them.
      const abort = new AbortMultipartUploadCommand(upload);
      await inTime(ANSWER_WITHIN, (late) => this.#client.send(abort, { abortSignal: late })).catch(
        () => undefined,
      );
      throw error;
    }
  }
}
