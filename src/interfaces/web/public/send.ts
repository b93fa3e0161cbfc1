import type { Response } from 'express';

/** The headers of pages, and of redirects between them. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export interface SendOptions {
  /** Directives of the Content-Security-Policy; what neither they nor the strict rules name is forbidden. */
  policy: readonly string[];
  headers?: Record<string, string>;
}

/** Sends a page that runs nothing and that no other page frames; no cache keeps it unless `headers` say so. */
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
