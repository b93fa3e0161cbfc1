import type { S3Config } from '#config/config.ts';
import { lazy } from '#kernel/lazy.ts';
import { type ArchiveFiles, openFolder } from './files.ts';

/** Returns the files that the settings name: in a folder or in the bucket. */
export const archiveFilesFor = (folder: string, s3: S3Config | undefined): ArchiveFiles =>
  s3
    ? lazy(async () => (await import('./s3-files.ts')).openS3Files(s3), ['put', 'read', 'remove'])
    : openFolder(folder);
