import type { S3Config } from '#config/config.ts';
import { lazy } from '#kernel/lazy.ts';
import type { S3MediaStore } from './s3-store.ts';
import { openMediaStore } from './store.ts';

/**
 * Returns the store that the settings name. Ranges matter only for remote files; those on disk are served by
 * their path.
 */
export function mediaStoreFor({ dataDir, s3 }: { dataDir: string; s3: S3Config | undefined }): S3MediaStore {
  if (!s3) return { ...openMediaStore({ dataDir }), close: () => undefined };
  const open = async () => (await import('./s3-store.ts')).openS3MediaStore(s3);
  return lazy(open, ['put', 'putFile', 'fetch', 'read', 'size', 'copy', 'remove']);
}
