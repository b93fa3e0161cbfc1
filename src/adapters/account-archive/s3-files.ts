import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/config.ts';
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
export function openS3Files(config: S3Config, partBytes = PART_BYTES): ArchiveFiles {
  const client = openS3Client(config);
  const place = (name: string) => ({ Bucket: config.bucket, Key: `${PREFIX}${name}` });

  const putParts = async (path: string, name: string, size: number, abortSignal: AbortSignal) => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place(name), ...STORED }), {
      abortSignal,
    });
    const upload = { ...place(name), UploadId };
    try {
      const parts: CompletedPart[] = [];
      for (let start = 0; start < size; start += partBytes) {
        const length = Math.min(partBytes, size - start);
        const part = { ...upload, PartNumber: parts.length + 1, ContentLength: length };
        const { ETag } = await withFile(path, { start, end: start + length - 1 }, (Body) =>
          client.send(new UploadPartCommand({ ...part, Body }), { abortSignal }),
        );
        parts.push({ ETag, PartNumber: part.PartNumber });
      }
      await client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
        { abortSignal },
      );
    } catch (error) {
      // The service would keep orphaned parts, and charge for them.
      const abort = new AbortMultipartUploadCommand(upload);
      await inTime(ANSWER_WITHIN, (late) => client.send(abort, { abortSignal: late })).catch(() => undefined);
      throw error;
    }
  };

  return {
    async put(path, name, abortSignal) {
      const { size } = await stat(path);
      if (size > partBytes) await putParts(path, name, size, abortSignal);
      else {
        const object = { ...place(name), ...STORED, ContentLength: size };
        await withFile(path, {}, (Body) =>
          client.send(new PutObjectCommand({ ...object, Body }), { abortSignal }),
        );
      }
      return { size };
    },

    async read(name) {
      try {
        const get = new GetObjectCommand(place(name));
        const { Body, ContentLength } = await inTime(ANSWER_WITHIN, (late) =>
          client.send(get, { abortSignal: late }),
        );
        return Body instanceof Readable ? { stream: Body, size: ContentLength ?? 0 } : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async remove(name) {
      const gone = new DeleteObjectCommand(place(name));
      await inTime(ANSWER_WITHIN, (late) => client.send(gone, { abortSignal: late }));
    },

    close: () => client.destroy(),
  };
}
