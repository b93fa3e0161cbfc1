import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { FILE_TYPES } from '#mastodon/media-limits.ts';

export interface StaticOptions {
  media: MediaSource;
  /** Returns true for a key in the form of the media store. Nothing else reaches the file system. */
  isMediaKey: (key: string) => boolean;
  /** Returns PNG pictures for accounts without a picture. */
  placeholders: () => Promise<{ avatar: Buffer; header: Buffer }>;
}

/** The folder of the media store, whose keys are paths below it; or a function that reads another store. */
export type MediaSource = { dir: string } | { read: ReadPart };

/** Returns a file of the media store, or the part that a `Range` header requests; null for an unknown key. */
export type ReadPart = (
  key: string,
  range?: string,
) => Promise<{ stream: Readable; size: number; contentRange?: string } | null>;

/** No file may run scripts; web clients of any origin may use it. */
const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const DAY = 'public, max-age=86400';
/**
 * Paths without pages, which crawlers would load for nothing (RFC 9309). Accounts decide themselves whether
 * they are indexed.
 */
const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /oauth/
Disallow: /settings
Disallow: /authorize_interaction
Disallow: /media_proxy/
`;
/** Keys are derived from the content, so the content of a key never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves uploaded media, default pictures of accounts, the icon, and the rules for crawlers. */
export function createStaticRouter({ media, isMediaKey, placeholders }: StaticOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/avatars/original/missing.png', async (_req, res) =>
    sendPicture(res, (await placeholders()).avatar),
  );
  router.get('/headers/original/missing.png', async (_req, res) =>
    sendPicture(res, (await placeholders()).header),
  );
  // Browsers accept a PNG at this address.
  router.get('/favicon.ico', async (_req, res) => sendPicture(res, (await placeholders()).avatar));
  router.get('/robots.txt', (_req, res) => {
    res
      .set({ ...COMMON_HEADERS, 'Cache-Control': DAY })
      .type('text/plain')
      .send(ROBOTS);
  });
  router.get('/media/:first/:second/:file', async (req, res) => {
    const { first, second, file } = req.params;
    const key = `${first}/${second}/${file}`;
    if (isMediaKey(key)) await sendKey(req, res, media, key, FOR_EVER);
    else sendMissing(res);
  });
  return router;
}

function sendPicture(res: Response, png: Buffer): void {
  res.set({ ...COMMON_HEADERS, 'Content-Type': 'image/png', 'Cache-Control': DAY }).send(png);
}

/** Sends a file of a store; handles HEAD, ranges and conditional requests. */
export async function sendKey(
  req: Request,
  res: Response,
  media: MediaSource,
  key: string,
  caching: string,
): Promise<void> {
  if ('read' in media) return passOn(req, res, media.read, { key, caching });
  sendFrom(res, join(resolve(media.dir), key), extname(key), caching);
}

/** Sends a file of the local disk; the extension, with its dot, gives the type. */
export function sendFrom(res: Response, path: string, extension: string, caching: string): void {
  const headers = headersOf(extension, caching);
  const root = dirname(path);
  const options = { root, headers, cacheControl: false, dotfiles: 'deny' } as const;
  res.sendFile(basename(path), options, (error?: unknown) => {
    if (error === undefined || res.headersSent || res.destroyed) return;
    if (statusOf(error) === 416) sendError(res, 416, 'Range Not Satisfiable');
    else sendMissing(res);
  });
}

/** Sends a file of another store. A key is derived from the content, so it is the ETag as well. */
async function passOn(
  req: Request,
  res: Response,
  read: ReadPart,
  { key, caching }: { key: string; caching: string },
): Promise<void> {
  const tag = `"${basename(key)}"`;
  res.set({ ...headersOf(extname(key), caching), ETag: tag, 'Accept-Ranges': 'bytes' });
  if (req.headers['if-none-match'] === tag) return void res.status(304).end();
  const { range = '' } = req.headers;
  const found = await read(key, /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range) ? range : undefined);
  if (!found) return sendMissing(res);
  const { stream, size, contentRange } = found;
  res.set({ 'Content-Length': String(size), ...(contentRange ? { 'Content-Range': contentRange } : {}) });
  res.status(contentRange ? 206 : 200);
  if (req.method !== 'HEAD') return pipeline(stream, res).catch(() => void res.destroy());
  stream.destroy();
  res.end();
}

function headersOf(extension: string, caching: string): Record<string, string> {
  const type = FILE_TYPES[extension];
  return {
    ...COMMON_HEADERS,
    'Content-Type': type ?? 'application/octet-stream',
    'Cache-Control': caching,
    ...(type === undefined ? { 'Content-Disposition': 'attachment' } : {}),
  };
}

const sendMissing = (res: Response): void => sendError(res, 404, 'Record not found');

/** Replaces the headers of the file. `Content-Range` stays: with 416 it tells the size. */
export function sendError(res: Response, status: number, error: string): void {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified']) res.removeHeader(name);
  res.set({ ...COMMON_HEADERS, 'Cache-Control': 'no-store' });
  res.status(status).type('json').json({ error });
}

const statusOf = (error: unknown): unknown =>
  error instanceof Error && 'status' in error ? error.status : undefined;
