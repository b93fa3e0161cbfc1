import { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '../config.ts';

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

/** What a client throws where there is no such file. */
export function isMissing(error: unknown): boolean {
  const { name } = error as { name?: string };
  return name === 'NoSuchKey' || name === 'NotFound';
}
