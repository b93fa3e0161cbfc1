import { Router, type Request, type Response } from 'express';
import { isRookeryError } from '../../kernel/errors.ts';
import {
  isRemoteMediaDigest,
  REMOTE_MEDIA_VARIANTS,
  type RemoteMediaId,
  type RemoteMediaKind,
  type RemoteMediaVariant,
} from '../../mastodon/remote-media.ts';
import type { RemoteMediaCache } from '../../kernel/services/remote-media.ts';
import { errorReply } from './errors.ts';
import { sendError, sendFrom, sendKey, type MediaSource } from './static.ts';

export interface RemoteMediaOptions {
  cache: Pick<RemoteMediaCache, 'serve'>;
  /** Where cached files are. */
  files: MediaSource;
  /** Counts a request that would make this server ask another one. @throws RookeryError `too_many_requests` */
  limit: (req: Request) => Promise<unknown>;
}

/** The file may become another one under its address; a day is what pictures of accounts have as well. */
const DAY = 'public, max-age=86400';

/** Files of other servers, under addresses that projections printed: `/media_proxy/<kind>/<digest>/<variant>`. */
export function createRemoteMediaRouter(options: RemoteMediaOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/media_proxy/:kind/:digest/:variant', async (req, res) => {
    const id = idOf(req.params);
    if (!id) return sendError(res, 404, 'Record not found');
    try {
      await send(req, res, id, options);
    } catch (error) {
      // That another server does not answer is no failure of this one.
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
  // It is gone already, and will never say so.
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
