import type { Response } from 'express';

/** The headers of pages, and of redirects between them. */
export const PAGE_HEADERS = {
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
  res
    .status(status)
    .set({
      ...PAGE_HEADERS,
      'Content-Security-Policy': [...strict, ...policy].join('; '),
      ...headers,
    })
    .type('html')
    .send(document);
}
