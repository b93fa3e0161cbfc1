import { RemoteMedia } from '#adapters/media/cache/cache.ts';
import { cacheFolderOf, openCacheBucket, openCacheFolder } from '#adapters/media/cache/files.ts';
import type { S3MediaStore } from '#adapters/media/s3-store.ts';
import { describeAttachment } from '#commands/federation/index.ts';
import type { Config } from '#config/config.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { FoundOfFile, KnownFile, RemoteMediaCache } from '#kernel/services/remote-media.ts';
import { remoteMediaDigest } from '#mastodon/remote-media.ts';
import {
  knownKeys,
  mayFetchFrom,
  shownFile,
  undescribedAttachments,
  unshownFiles,
} from '#queries/federation/index.ts';
import type { Database } from '#storage/postgres/db.ts';

export interface RemoteMediaParts {
  db: Database;
  http: HttpClient;
  /** The store of uploads. */
  media: S3MediaStore;
  dataDir: string;
  config: Config['media'];
  /** Returns a context for changes of posts. */
  context: () => CommandContext;
  onError: (error: unknown) => void;
}

/** Returns the store of remote files, by the settings. */
export function remoteMediaFor({
  db,
  http,
  media,
  dataDir,
  config,
  ...parts
}: RemoteMediaParts): RemoteMediaCache {
  return new RemoteMedia({
    db,
    http,
    programs: config.programs,
    budget: config.cache.budget,
    files: config.s3 ? openCacheBucket(media) : openCacheFolder(cacheFolderOf(dataDir)),
    fetchesOnArrival: config.cache.fetch === 'arrival',
    facts: {
      shown: (id) => shownFile(db, id),
      mayFetchFrom: (host) => mayFetchFrom(db, host),
      unshown: () => unshownFiles(db),
      knownKeys: (keys) => knownKeys(db, keys),
    },
    onFound: (file, found) => describe(parts.context(), file, found),
    onError: parts.onError,
  });
}

/**
 * Adds the properties of a file to the posts that show it and lack them. A preview does not tell the size of
 * its original.
 */
async function describe(
  ctx: CommandContext,
  { kind, url }: KnownFile,
  { meta, ...looks }: FoundOfFile,
): Promise<void> {
  if (kind !== 'attachments' && kind !== 'previews') return;
  const posts = await undescribedAttachments(ctx.db, { kind, digest: remoteMediaDigest(url) });
  const found = { ...looks, meta: kind === 'previews' && meta.small ? { small: meta.small } : meta };
  for (const { status_id: statusId, attachment_id: attachmentId } of posts) {
    await describeAttachment(ctx, { statusId, attachmentId, found });
  }
  if (posts.length > 0) await ctx.waitForReadModels();
}
