import type { S3Config } from '../../config/config.ts';
import { openFolder, type ArchiveFiles } from './files.ts';

/** Returns the files that the settings name: in a folder or in the bucket. */
export const archiveFilesFor = (folder: string, s3: S3Config | undefined): ArchiveFiles =>
  s3 ? lazyBucket(s3) : openFolder(folder);

/** The client takes memory, so it is loaded with the first file. */
function lazyBucket(config: S3Config): ArchiveFiles {
  let loaded: Promise<ArchiveFiles> | undefined;
  const load = (): Promise<ArchiveFiles> =>
    (loaded ??= import('./s3-files.ts').then(({ openS3Files }) => openS3Files(config)));
  return {
    put: async (...file) => (await load()).put(...file),
    read: async (name) => (await load()).read(name),
    remove: async (name) => (await load()).remove(name),
    close: () => void loaded?.then((files) => files.close()),
  };
}
