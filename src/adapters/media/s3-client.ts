import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/config.ts';

/** A client of any S3 service. */
export const openS3Client = ({ endpoint, region, pathStyle, credentials }: S3Config): S3Client =>
  new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Newer checksums are unknown to many services.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** Tells whether the client threw because the file does not exist. */
export function isMissing(error: unknown): boolean {
  const { name } = error as { name?: string };
  return name === 'NoSuchKey' || name === 'NotFound';
}

/** Milliseconds in which a service must have answered. */
export const ANSWER_WITHIN = 30_000;

/** Ends what takes longer than so many milliseconds, with all tries: the client itself waits for ever. */
export async function inTime<T>(
  milliseconds: number,
  work: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls with what is in a file, or in a part of it. The file is closed after: the client leaves it open when it fails. */
export async function withFile<T>(
  path: string,
  part: { start?: number; end?: number },
  send: (body: Readable) => Promise<T>,
): Promise<T> {
  const body = createReadStream(path, part);
  try {
    return await send(body);
  } finally {
    body.destroy();
  }
}
