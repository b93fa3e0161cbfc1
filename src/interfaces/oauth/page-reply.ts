import type { Response } from 'express';
import { sendDocument } from '../web/public/send.ts';
import { documentOf, type Page } from './pages.ts';

/** Sends a page that no cache keeps and no other page frames. */
export const sendPage = (res: Response, status: number, page: Page, domain: string): void =>
  // Browsers hold the redirects after a form to `form-action` too, and where apps redirect to is for them to say.
  sendDocument(res, status, documentOf(page, domain), {
    policy: [
      ...(page.leadsElsewhere ? [] : ["form-action 'self'"]),
      ...(page.runs === undefined ? [] : [page.runs]),
    ],
  });
