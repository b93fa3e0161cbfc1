import type { Response } from 'express';
import { revalidated } from '#interfaces/http/entity-tag.ts';
import { NOTHING_ALLOWED } from '#interfaces/http/redirect.ts';

/**
 * The headers of pages, of parts of pages, of files, and of redirects between pages. A part has the policy of the
 * page that takes it in; opened by its address it may load and run nothing.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': NOTHING_ALLOWED,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export interface SendOptions {
  /**
   * Directives of the Content-Security-Policy, in addition to the strict ones; everything else is forbidden.
   */
  policy: readonly string[];
  headers?: Record<string, string>;
}

/**
 * Sends a page that runs no script and that no other page may frame; it is not cached unless `headers` allow
 * it.
 */
export function sendDocument(
  res: Response,
  status: number,
  document: string,
  { policy, headers }: SendOptions,
): void {
  const strict = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"];
  const all = {
    ...PAGE_HEADERS,
    'Content-Security-Policy': [...strict, ...policy].join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
  };
  sendCacheable(res, status, all, document);
}

/** Sends a text, with a tag where caches may keep it, or 304 where the client has it. */
export function sendCacheable(
  res: Response,
  status: number,
  headers: Record<string, string>,
  content: string,
): void {
  const cached = revalidated(res, status, { headers, content });
  res.set({ ...headers, ...(cached && { ETag: cached.tag }) });
  if (cached?.isKnown) res.status(304).end();
  else res.status(status).send(content);
}
