import type { Response } from 'express';
import type { Instance } from '#kernel/context.ts';
import { ourSources } from '../web/entities/addresses.ts';
import { sendDocument } from '../web/page/send.ts';
import type { Look } from './look.ts';
import { documentOf, type OAuthPage } from './pages.ts';

interface PageReply {
  status: number;
  page: OAuthPage;
  instance: Instance;
  look: Look;
}

/** Sends a page that may not be cached or framed. */
export const sendPage = (res: Response, { status, page, instance, look }: PageReply): void =>
  // Browsers apply `form-action` to the redirects after a form too, and the redirect URI is the app's choice.
  sendDocument(res, status, documentOf(page, instance.domain, look), {
    policy: [
      `img-src ${ourSources(instance)}`,
      ...(page.leadsElsewhere ? [] : ["form-action 'self'"]),
      ...(page.runs === undefined ? [] : [page.runs]),
    ],
  });
