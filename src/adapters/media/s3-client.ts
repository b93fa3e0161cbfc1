import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '#config/config.ts';

/** Opens a client for any S3 service. */
export const openS3Client = ({ endpoint, region, pathStyle, credentials }: S3Config): S3Client =>
  new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Many services do not know newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** Tells whether the client threw because the file does not exist. */
export function isMissing(error: unknown): boolean {
  const { name } = error as { name?: string };
  return name === 'NoSuchKey' || name === 'NotFound';
}

/** Milliseconds within which a service must answer. */
export const ANSWER_WITHIN = 30_000;

/** Ends a call after so many milliseconds, with all retries: the client itself waits for ever. */
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

/**
 * Calls with the content of a file, or of a part of it, and closes the file: the client leaves it open after
 * a failure.
 */
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
