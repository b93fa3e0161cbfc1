import type { Response } from 'express';
import { sendDocument } from '../web/page/send.ts';
import { documentOf, type Page } from './pages.ts';

/** Sends a page that may not be cached or framed. */
export const sendPage = (res: Response, status: number, page: Page, domain: string): void =>
  // Browsers apply `form-action` to the redirects after a form too, and the redirect URI is the app's choice.
  sendDocument(res, status, documentOf(page, domain), {
    policy: [
      ...(page.leadsElsewhere ? [] : ["form-action 'self'"]),
      ...(page.runs === undefined ? [] : [page.runs]),
    ],
  });
