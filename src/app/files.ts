import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Express } from 'express';
import { cacheFolderOf } from '#adapters/media/cache/files.ts';
import { isMediaKey } from '#adapters/media/keys.ts';
import { placeholders } from '#adapters/media/placeholders.ts';
import type { Config } from '#config/config.ts';
import { createRemoteMediaRouter } from '#interfaces/http/remote-media.ts';
import { createStaticRouter } from '#interfaces/http/static.ts';
import type { Services } from '#kernel/services.ts';

/** Mounts uploads and cached files of other servers. `limit` throws when a client asks too often. */
export function mountFiles(
  web: Express,
  { media: { s3 }, dataDir }: Config,
  { media, remoteMedia }: Pick<Services, 'media' | 'remoteMedia'>,
  limit: (req: IncomingMessage) => Promise<void>,
): void {
  const filesIn = (dir: string): { read: typeof media.read } | { dir: string } =>
    s3 ? { read: media.read } : { dir };
  web.use(createStaticRouter({ media: filesIn(join(resolve(dataDir), 'media')), isMediaKey, placeholders }));
  web.use(createRemoteMediaRouter({ cache: remoteMedia, files: filesIn(cacheFolderOf(dataDir)), limit }));
}
