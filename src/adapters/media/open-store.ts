import type { S3Config } from '../../config/config.ts';
import type { S3MediaStore } from './s3-store.ts';
import { openMediaStore } from './store.ts';

/**
 * Returns the store that the settings name. Ranges matter only for remote files; those on disk are served by
 * their path.
 */
export function mediaStoreFor({ dataDir, s3 }: { dataDir: string; s3: S3Config | undefined }): S3MediaStore {
  return s3 ? lazyS3Store(s3) : { ...openMediaStore({ dataDir }), close: () => undefined };
}

/** The client takes memory, so it is loaded with the first file. */
function lazyS3Store(config: S3Config): S3MediaStore {
  let loaded: Promise<S3MediaStore> | undefined;
  const load = (): Promise<S3MediaStore> =>
    (loaded ??= import('./s3-store.ts').then(({ openS3MediaStore }) => openS3MediaStore(config)));
  return {
    put: async (...file) => (await load()).put(...file),
    putFile: async (...file) => (await load()).putFile(...file),
    fetch: async (...file) => (await load()).fetch(...file),
    read: async (...part) => (await load()).read(...part),
    copy: async (key, owner) => (await load()).copy(key, owner),
    remove: async (key) => (await load()).remove(key),
    close: () => void loaded?.then((store) => store.close()),
  };
}
