import type { Response } from 'express';
import { documentOf, type Page } from './pages.ts';

/** Sends a page that no cache keeps and no other page frames. */
export function sendPage(res: Response, status: number, page: Page, domain: string): void {
  res
    .status(status)
    .set({ ...PAGE_HEADERS, 'Content-Security-Policy': contentSecurityPolicy(page) })
    .type('html')
    .send(documentOf(page, domain));
}

const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Browsers hold the redirects after a form to `form-action` too, and where apps redirect to is for them to say. */
const contentSecurityPolicy = ({ leadsElsewhere }: Page): string =>
  [
    "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    ...(leadsElsewhere ? [] : ["form-action 'self'"]),
  ].join('; ');
