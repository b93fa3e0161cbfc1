import { type Request, type Response, Router } from 'express';
import { isRookeryError } from '#kernel/errors.ts';
import type { RemoteMediaCache } from '#kernel/services/remote-media.ts';
import {
  isRemoteMediaDigest,
  REMOTE_MEDIA_VARIANTS,
  type RemoteMediaId,
  type RemoteMediaKind,
  type RemoteMediaVariant,
} from '#mastodon/remote-media.ts';
import { errorReply } from './errors.ts';
import { type MediaSource, sendError, sendFrom, sendKey } from './static.ts';

export interface RemoteMediaOptions {
  cache: Pick<RemoteMediaCache, 'serve'>;
  /** The store of cached files. */
  files: MediaSource;
  /** Counts a request that would make this server fetch a file. @throws RookeryError `too_many_requests` */
  limit: (req: Request) => Promise<unknown>;
}

/** The file behind an address may change; pictures of accounts are cached for a day as well. */
const DAY = 'public, max-age=86400';

/** Serves remote files under the addresses in read models: `/media_proxy/<kind>/<digest>/<variant>`. */
export function createRemoteMediaRouter(options: RemoteMediaOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/media_proxy/:kind/:digest/:variant', async (req, res) => {
    const id = idOf(req.params);
    if (!id) return sendError(res, 404, 'Record not found');
    try {
      await send(req, res, id, options);
    } catch (error) {
      // An outage of another server is no internal error.
      if (!isRookeryError(error)) throw error;
      const { status, headers } = errorReply(error);
      sendError(res.set(headers), status, error.message);
    }
  });
  return router;
}

async function send(
  req: Request,
  res: Response,
  id: RemoteMediaId,
  { cache, files, limit }: RemoteMediaOptions,
): Promise<void> {
  const file = await cache.serve(id, () => limit(req));
  if ('key' in file) return sendKey(req, res, files, file.key, DAY);
  res.once('close', file.release);
  // The connection has closed already, and emits no further event.
  if (res.destroyed) return file.release();
  sendFrom(res, file.path, `.${file.extension}`, 'no-store');
}

function idOf({ kind, digest, variant }: Record<string, string | undefined>): RemoteMediaId | undefined {
  const variants: readonly string[] | undefined =
    kind !== undefined && Object.hasOwn(REMOTE_MEDIA_VARIANTS, kind)
      ? REMOTE_MEDIA_VARIANTS[kind as RemoteMediaKind]
      : undefined;
  if (digest === undefined || variant === undefined || !variants?.includes(variant)) return undefined;
  if (!isRemoteMediaDigest(digest)) return undefined;
  return { kind: kind as RemoteMediaKind, digest, variant: variant as RemoteMediaVariant };
}
