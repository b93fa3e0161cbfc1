import { extname, resolve } from 'node:path';
import { Router, type Response } from 'express';

export interface StaticOptions {
  /** The folder of the media store; keys are paths below it. */
  mediaDir: string;
  /** True for a key that the media store can have given. Nothing else reaches the file system. */
  isMediaKey: (key: string) => boolean;
  /** PNG pictures for accounts that have none. */
  placeholders: () => Promise<{ avatar: Buffer; header: Buffer }>;
}

/** Types that a browser may show by itself. HTML and SVG are not among them: they run scripts on our origin. */
const SHOWN: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.heic': 'image/heic',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
};

/** Whatever a file holds, it runs nothing; and web clients of any origin may use it. */
const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const DAY = 'public, max-age=86400';
/** Keys are made of the content, so what a key names never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Files: uploaded media, and the pictures of accounts that have none. */
export function createStaticRouter({ mediaDir, isMediaKey, placeholders }: StaticOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const root = resolve(mediaDir);
  router.get('/avatars/original/missing.png', async (_req, res) =>
    sendPicture(res, (await placeholders()).avatar),
  );
  router.get('/headers/original/missing.png', async (_req, res) =>
    sendPicture(res, (await placeholders()).header),
  );
  router.get('/media/:first/:second/:file', (req, res) => {
    const { first, second, file } = req.params;
    const key = `${first}/${second}/${file}`;
    if (isMediaKey(key)) sendMedia(res, root, key);
    else sendMissing(res);
  });
  return router;
}

function sendPicture(res: Response, png: Buffer): void {
  res.set({ ...COMMON_HEADERS, 'Content-Type': 'image/png', 'Cache-Control': DAY }).send(png);
}

/** Also answers HEAD, ranges and conditional requests. */
function sendMedia(res: Response, root: string, key: string): void {
  const type = SHOWN[extname(key)];
  const headers = {
    ...COMMON_HEADERS,
    'Content-Type': type ?? 'application/octet-stream',
    'Cache-Control': FOR_EVER,
    ...(type === undefined ? { 'Content-Disposition': 'attachment' } : {}),
  };
  res.sendFile(key, { root, headers, cacheControl: false, dotfiles: 'deny' }, (error?: unknown) => {
    if (error === undefined || res.headersSent || res.destroyed) return;
    if (statusOf(error) === 416) sendError(res, 416, 'Range Not Satisfiable');
    else sendMissing(res);
  });
}

const sendMissing = (res: Response): void => sendError(res, 404, 'Record not found');

/** Over what was set for the file already. `Content-Range` stays: with 416 it tells the size. */
function sendError(res: Response, status: number, error: string): void {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified']) res.removeHeader(name);
  res.set({ ...COMMON_HEADERS, 'Cache-Control': 'no-store' });
  res.status(status).type('json').json({ error });
}

const statusOf = (error: unknown): unknown =>
  error instanceof Error && 'status' in error ? error.status : undefined;
